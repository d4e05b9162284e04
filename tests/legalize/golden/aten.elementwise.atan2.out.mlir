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
    %9 = "tosa.equal"(%8, %2) : (tensor<1x3x4xf32>, tensor<1x1x1xf32>) -> tensor<1x3x4xi1>
    %10 = "tosa.reciprocal"(%8) : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %11 = "tosa.select"(%9, %10, %8) : (tensor<1x3x4xi1>, tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %12 = "tosa.greater"(%2, %11) : (tensor<1x1x1xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xi1>
    %13 = "tosa.const"() <{values = dense<[[[3.1415927410125732]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %14 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %15 = "tosa.clamp"(%14) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %16 = "tosa.abs"(%8) : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %17 = "tosa.clamp"(%16) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %18 = "tosa.maximum"(%15, %17) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
    %19 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %20 = "tosa.greater"(%18, %19) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %21 = "tosa.const"() <{values = dense<[[[0.125]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %22 = "tosa.const"() <{values = dense<[[[16777216.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %23 = "tosa.select"(%20, %21, %22) : (tensor<2x3x4xi1>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %24 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %25 = "tosa.mul"(%15, %23, %24) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %26 = "tosa.mul"(%17, %23, %24) : (tensor<1x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %27 = "tosa.greater"(%25, %26) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %28 = "tosa.const"() <{values = dense<[[[1.5707963705062866]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %29 = "tosa.const"() <{values = dense<[[[-0.0017437010537832975]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %30 = "tosa.minimum"(%25, %26) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %31 = "tosa.maximum"(%25, %26) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %32 = "tosa.const"() <{values = dense<[[[1.1754943508222875e-38]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %33 = "tosa.maximum"(%31, %32) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %34 = "tosa.reciprocal"(%33) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %35 = "tosa.mul"(%30, %34, %24) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %36 = "tosa.mul"(%35, %35, %24) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %37 = "tosa.mul"(%29, %36, %24) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %38 = "tosa.const"() <{values = dense<[[[0.010680719278752804]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %39 = "tosa.add"(%37, %38) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %40 = "tosa.mul"(%39, %36, %24) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %41 = "tosa.const"() <{values = dense<[[[-0.030717508867383003]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %42 = "tosa.add"(%40, %41) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %43 = "tosa.mul"(%42, %36, %24) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %44 = "tosa.const"() <{values = dense<[[[0.05746355652809143]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %45 = "tosa.add"(%43, %44) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %46 = "tosa.mul"(%45, %36, %24) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %47 = "tosa.const"() <{values = dense<[[[-0.08372063934803009]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %48 = "tosa.add"(%46, %47) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %49 = "tosa.mul"(%48, %36, %24) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %50 = "tosa.const"() <{values = dense<[[[0.10940198600292206]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %51 = "tosa.add"(%49, %50) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %52 = "tosa.mul"(%51, %36, %24) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %53 = "tosa.const"() <{values = dense<[[[-0.14261573553085327]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %54 = "tosa.add"(%52, %53) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %55 = "tosa.mul"(%54, %36, %24) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %56 = "tosa.const"() <{values = dense<[[[0.19998230040073395]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %57 = "tosa.add"(%55, %56) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %58 = "tosa.mul"(%57, %36, %24) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %59 = "tosa.const"() <{values = dense<[[[-0.3333328366279602]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %60 = "tosa.add"(%58, %59) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %61 = "tosa.mul"(%60, %36, %24) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %62 = "tosa.add"(%61, %19) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %63 = "tosa.mul"(%62, %35, %24) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %64 = "tosa.sub"(%28, %63) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %65 = "tosa.select"(%27, %64, %63) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %66 = "tosa.sub"(%13, %65) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %67 = "tosa.select"(%12, %66, %65) : (tensor<1x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %68 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %69 = "tosa.negate"(%67, %68, %68) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %70 = "tosa.select"(%6, %69, %67) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %70 : tensor<2x3x4xf32>
  }
}
