// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_0"}) {
    %2 = "aten.atan2.out"(%arg0, %arg1) : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_0"}) {
    %2 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %3 = "tosa.equal"(%arg0, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %4 = "tosa.reciprocal"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %5 = "tosa.select"(%3, %4, %arg0) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %6 = "tosa.greater"(%2, %5) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %7 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %8 = "tosa.reshape"(%arg1, %7) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %9 = "tosa.const_shape"() <{values = dense<[2, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.tile"(%8, %9) : (tensor<1x3x4xf32>, !tosa.shape<3>) -> tensor<2x3x4xf32>
    %11 = "tosa.equal"(%10, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %12 = "tosa.reciprocal"(%10) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %13 = "tosa.select"(%11, %12, %10) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %14 = "tosa.greater"(%2, %13) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %15 = "tosa.const"() <{values = dense<[[[3.1415927410125732]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %16 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %17 = "tosa.clamp"(%16) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %18 = "tosa.abs"(%10) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %19 = "tosa.clamp"(%18) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %20 = "tosa.maximum"(%17, %19) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %21 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %22 = "tosa.greater"(%20, %21) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %23 = "tosa.const"() <{values = dense<[[[0.125]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %24 = "tosa.const"() <{values = dense<[[[16777216.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %25 = "tosa.select"(%22, %23, %24) : (tensor<2x3x4xi1>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %26 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %27 = "tosa.mul"(%17, %25, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %28 = "tosa.mul"(%19, %25, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %29 = "tosa.greater"(%27, %28) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %30 = "tosa.const"() <{values = dense<[[[1.5707963705062866]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %31 = "tosa.const"() <{values = dense<[[[-0.0017437010537832975]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %32 = "tosa.minimum"(%27, %28) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %33 = "tosa.maximum"(%27, %28) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %34 = "tosa.const"() <{values = dense<[[[1.1754943508222875e-38]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %35 = "tosa.maximum"(%33, %34) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %36 = "tosa.reciprocal"(%35) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %37 = "tosa.mul"(%32, %36, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %38 = "tosa.mul"(%37, %37, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %39 = "tosa.mul"(%31, %38, %26) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %40 = "tosa.const"() <{values = dense<[[[0.010680719278752804]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %41 = "tosa.add"(%39, %40) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %42 = "tosa.mul"(%41, %38, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %43 = "tosa.const"() <{values = dense<[[[-0.030717508867383003]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %44 = "tosa.add"(%42, %43) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %45 = "tosa.mul"(%44, %38, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %46 = "tosa.const"() <{values = dense<[[[0.05746355652809143]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %47 = "tosa.add"(%45, %46) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %48 = "tosa.mul"(%47, %38, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %49 = "tosa.const"() <{values = dense<[[[-0.08372063934803009]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %50 = "tosa.add"(%48, %49) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %51 = "tosa.mul"(%50, %38, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %52 = "tosa.const"() <{values = dense<[[[0.10940198600292206]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %53 = "tosa.add"(%51, %52) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %54 = "tosa.mul"(%53, %38, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %55 = "tosa.const"() <{values = dense<[[[-0.14261573553085327]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %56 = "tosa.add"(%54, %55) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %57 = "tosa.mul"(%56, %38, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %58 = "tosa.const"() <{values = dense<[[[0.19998230040073395]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %59 = "tosa.add"(%57, %58) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %60 = "tosa.mul"(%59, %38, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %61 = "tosa.const"() <{values = dense<[[[-0.3333328366279602]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %62 = "tosa.add"(%60, %61) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %63 = "tosa.mul"(%62, %38, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %64 = "tosa.add"(%63, %21) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %65 = "tosa.mul"(%64, %37, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %66 = "tosa.sub"(%30, %65) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %67 = "tosa.select"(%29, %66, %65) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %68 = "tosa.sub"(%15, %67) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %69 = "tosa.select"(%14, %68, %67) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %70 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %71 = "tosa.negate"(%69, %70, %70) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %72 = "tosa.select"(%6, %71, %69) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %72 : tensor<2x3x4xf32>
  }
}
