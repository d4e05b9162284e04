// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_1"}) {
    %1 = "aten.atan.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_1"}) {
    %1 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %2 = "tosa.equal"(%arg0, %1) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %3 = "tosa.reciprocal"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %4 = "tosa.select"(%2, %3, %arg0) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %5 = "tosa.greater"(%1, %4) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %6 = "tosa.const"() <{values = dense<sha256 9d908ecfb6b256de> : tensor<2x3x4xi1>}> : () -> tensor<2x3x4xi1>
    %7 = "tosa.const"() <{values = dense<[[[3.1415927410125732]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %8 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %9 = "tosa.clamp"(%8) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %10 = "tosa.const"() <{values = dense<sha256 849203e6b4e58641> : tensor<2x3x4xf32>}> : () -> tensor<2x3x4xf32>
    %11 = "tosa.maximum"(%9, %10) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %12 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %13 = "tosa.greater"(%11, %12) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %14 = "tosa.const"() <{values = dense<[[[0.125]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %15 = "tosa.const"() <{values = dense<[[[16777216.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %16 = "tosa.select"(%13, %14, %15) : (tensor<2x3x4xi1>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %17 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %18 = "tosa.mul"(%9, %16, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %19 = "tosa.mul"(%10, %16, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %20 = "tosa.greater"(%18, %19) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %21 = "tosa.const"() <{values = dense<[[[1.5707963705062866]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %22 = "tosa.const"() <{values = dense<[[[-0.0017437010537832975]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %23 = "tosa.minimum"(%18, %19) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %24 = "tosa.maximum"(%18, %19) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %25 = "tosa.const"() <{values = dense<[[[1.1754943508222875e-38]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %26 = "tosa.maximum"(%24, %25) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %27 = "tosa.reciprocal"(%26) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %28 = "tosa.mul"(%23, %27, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %29 = "tosa.mul"(%28, %28, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %30 = "tosa.mul"(%22, %29, %17) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %31 = "tosa.const"() <{values = dense<[[[0.010680719278752804]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %32 = "tosa.add"(%30, %31) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %33 = "tosa.mul"(%32, %29, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %34 = "tosa.const"() <{values = dense<[[[-0.030717508867383003]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %35 = "tosa.add"(%33, %34) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %36 = "tosa.mul"(%35, %29, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %37 = "tosa.const"() <{values = dense<[[[0.05746355652809143]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %38 = "tosa.add"(%36, %37) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %39 = "tosa.mul"(%38, %29, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %40 = "tosa.const"() <{values = dense<[[[-0.08372063934803009]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %41 = "tosa.add"(%39, %40) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %42 = "tosa.mul"(%41, %29, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %43 = "tosa.const"() <{values = dense<[[[0.10940198600292206]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %44 = "tosa.add"(%42, %43) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %45 = "tosa.mul"(%44, %29, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %46 = "tosa.const"() <{values = dense<[[[-0.14261573553085327]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %47 = "tosa.add"(%45, %46) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %48 = "tosa.mul"(%47, %29, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %49 = "tosa.const"() <{values = dense<[[[0.19998230040073395]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %50 = "tosa.add"(%48, %49) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %51 = "tosa.mul"(%50, %29, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %52 = "tosa.const"() <{values = dense<[[[-0.3333328366279602]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %53 = "tosa.add"(%51, %52) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %54 = "tosa.mul"(%53, %29, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %55 = "tosa.add"(%54, %12) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %56 = "tosa.mul"(%55, %28, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %57 = "tosa.sub"(%21, %56) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %58 = "tosa.select"(%20, %57, %56) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %59 = "tosa.sub"(%7, %58) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %60 = "tosa.select"(%6, %59, %58) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %61 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %62 = "tosa.negate"(%60, %61, %61) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %63 = "tosa.select"(%5, %62, %60) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %63 : tensor<2x3x4xf32>
  }
}
