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
    %6 = "tosa.const"() <{values = dense<[[[false]]]> : tensor<1x1x1xi1>}> : () -> tensor<1x1x1xi1>
    %7 = "tosa.const"() <{values = dense<[[[3.1415927410125732]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %8 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %9 = "tosa.clamp"(%8) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %10 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %11 = "tosa.maximum"(%9, %10) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %12 = "tosa.greater"(%11, %10) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %13 = "tosa.const"() <{values = dense<[[[0.125]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %14 = "tosa.const"() <{values = dense<[[[16777216.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %15 = "tosa.select"(%12, %13, %14) : (tensor<2x3x4xi1>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %16 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = "tosa.mul"(%9, %15, %16) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %18 = "tosa.mul"(%10, %15, %16) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %19 = "tosa.greater"(%17, %18) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %20 = "tosa.const"() <{values = dense<[[[1.5707963705062866]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %21 = "tosa.const"() <{values = dense<[[[-0.0017437010537832975]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %22 = "tosa.minimum"(%17, %18) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %23 = "tosa.maximum"(%17, %18) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %24 = "tosa.const"() <{values = dense<[[[1.1754943508222875e-38]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %25 = "tosa.maximum"(%23, %24) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %26 = "tosa.reciprocal"(%25) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %27 = "tosa.mul"(%22, %26, %16) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %28 = "tosa.mul"(%27, %27, %16) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %29 = "tosa.mul"(%21, %28, %16) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %30 = "tosa.const"() <{values = dense<[[[0.010680719278752804]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %31 = "tosa.add"(%29, %30) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %32 = "tosa.mul"(%31, %28, %16) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %33 = "tosa.const"() <{values = dense<[[[-0.030717508867383003]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %34 = "tosa.add"(%32, %33) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %35 = "tosa.mul"(%34, %28, %16) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %36 = "tosa.const"() <{values = dense<[[[0.05746355652809143]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %37 = "tosa.add"(%35, %36) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %38 = "tosa.mul"(%37, %28, %16) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %39 = "tosa.const"() <{values = dense<[[[-0.08372063934803009]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %40 = "tosa.add"(%38, %39) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %41 = "tosa.mul"(%40, %28, %16) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %42 = "tosa.const"() <{values = dense<[[[0.10940198600292206]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %43 = "tosa.add"(%41, %42) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %44 = "tosa.mul"(%43, %28, %16) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %45 = "tosa.const"() <{values = dense<[[[-0.14261573553085327]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %46 = "tosa.add"(%44, %45) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %47 = "tosa.mul"(%46, %28, %16) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %48 = "tosa.const"() <{values = dense<[[[0.19998230040073395]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %49 = "tosa.add"(%47, %48) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %50 = "tosa.mul"(%49, %28, %16) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %51 = "tosa.const"() <{values = dense<[[[-0.3333328366279602]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %52 = "tosa.add"(%50, %51) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %53 = "tosa.mul"(%52, %28, %16) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %54 = "tosa.add"(%53, %10) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %55 = "tosa.mul"(%54, %27, %16) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %56 = "tosa.sub"(%20, %55) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %57 = "tosa.select"(%19, %56, %55) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %58 = "tosa.sub"(%7, %57) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %59 = "tosa.select"(%6, %58, %57) : (tensor<1x1x1xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %60 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %61 = "tosa.negate"(%59, %60, %60) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %62 = "tosa.select"(%5, %61, %59) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %62 : tensor<2x3x4xf32>
  }
}
