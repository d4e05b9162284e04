// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_7"}) {
    %1 = "aten.acos.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_7"}) {
    %1 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %2 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %3 = "tosa.greater"(%1, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %4 = "tosa.const"() <{values = dense<[[[nan]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %5 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %6 = "tosa.sub"(%2, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %7 = "tosa.add"(%2, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.mul"(%6, %7, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %10 = "tosa.rsqrt"(%9) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %11 = "tosa.reciprocal"(%10) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %12 = "tosa.equal"(%11, %5) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %13 = "tosa.reciprocal"(%11) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %14 = "tosa.select"(%12, %13, %11) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %15 = "tosa.greater"(%5, %14) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %16 = "tosa.equal"(%arg0, %5) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %17 = "tosa.reciprocal"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %18 = "tosa.select"(%16, %17, %arg0) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %19 = "tosa.greater"(%5, %18) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %20 = "tosa.const"() <{values = dense<[[[3.1415927410125732]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %21 = "tosa.abs"(%11) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %22 = "tosa.clamp"(%21) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %23 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %24 = "tosa.clamp"(%23) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %25 = "tosa.maximum"(%22, %24) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %26 = "tosa.greater"(%25, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %27 = "tosa.const"() <{values = dense<[[[0.125]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %28 = "tosa.const"() <{values = dense<[[[16777216.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %29 = "tosa.select"(%26, %27, %28) : (tensor<2x3x4xi1>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %30 = "tosa.mul"(%22, %29, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %31 = "tosa.mul"(%24, %29, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %32 = "tosa.greater"(%30, %31) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %33 = "tosa.const"() <{values = dense<[[[1.5707963705062866]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %34 = "tosa.const"() <{values = dense<[[[-0.0017437010537832975]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %35 = "tosa.minimum"(%30, %31) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %36 = "tosa.maximum"(%30, %31) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %37 = "tosa.const"() <{values = dense<[[[1.1754943508222875e-38]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %38 = "tosa.maximum"(%36, %37) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %39 = "tosa.reciprocal"(%38) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %40 = "tosa.mul"(%35, %39, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %41 = "tosa.mul"(%40, %40, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %42 = "tosa.mul"(%34, %41, %8) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %43 = "tosa.const"() <{values = dense<[[[0.010680719278752804]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %44 = "tosa.add"(%42, %43) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %45 = "tosa.mul"(%44, %41, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %46 = "tosa.const"() <{values = dense<[[[-0.030717508867383003]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %47 = "tosa.add"(%45, %46) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %48 = "tosa.mul"(%47, %41, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %49 = "tosa.const"() <{values = dense<[[[0.05746355652809143]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %50 = "tosa.add"(%48, %49) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %51 = "tosa.mul"(%50, %41, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %52 = "tosa.const"() <{values = dense<[[[-0.08372063934803009]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %53 = "tosa.add"(%51, %52) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %54 = "tosa.mul"(%53, %41, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %55 = "tosa.const"() <{values = dense<[[[0.10940198600292206]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %56 = "tosa.add"(%54, %55) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %57 = "tosa.mul"(%56, %41, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %58 = "tosa.const"() <{values = dense<[[[-0.14261573553085327]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %59 = "tosa.add"(%57, %58) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %60 = "tosa.mul"(%59, %41, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %61 = "tosa.const"() <{values = dense<[[[0.19998230040073395]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %62 = "tosa.add"(%60, %61) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %63 = "tosa.mul"(%62, %41, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %64 = "tosa.const"() <{values = dense<[[[-0.3333328366279602]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %65 = "tosa.add"(%63, %64) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %66 = "tosa.mul"(%65, %41, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %67 = "tosa.add"(%66, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %68 = "tosa.mul"(%67, %40, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %69 = "tosa.sub"(%33, %68) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %70 = "tosa.select"(%32, %69, %68) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %71 = "tosa.sub"(%20, %70) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %72 = "tosa.select"(%19, %71, %70) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %73 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %74 = "tosa.negate"(%72, %73, %73) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %75 = "tosa.select"(%15, %74, %72) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %76 = "tosa.select"(%3, %4, %75) : (tensor<2x3x4xi1>, tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %76 : tensor<2x3x4xf32>
  }
}
