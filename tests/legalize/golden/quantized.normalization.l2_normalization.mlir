// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.0078125:0>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.l2_normalization"(%arg0) <{fused_activation_function = "NONE"}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.0078125:0>>
    return %1 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.0078125:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<[-3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %6 = "tosa.const"() <{values = dense<[[[[7]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %7 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.mul"(%5, %5, %7) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
    %9 = "tosa.reduce_sum"(%8) <{axis = 3 : i32}> : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x1xi32>
    %10 = "tosa.const"() <{values = dense<[[[[1]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %11 = "tosa.greater"(%9, %10) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi1>
    %12 = "tosa.const"() <{values = dense<[[[[536870912]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %13 = "tosa.greater_equal"(%9, %12) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi1>
    %14 = "tosa.const"() <{values = dense<[[[[12]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %15 = "tosa.const"() <{values = dense<[[[[11]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %16 = "tosa.select"(%13, %14, %15) : (tensor<1x4x4x1xi1>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %17 = "tosa.const"() <{values = dense<[[[[2]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %18 = "tosa.arithmetic_right_shift"(%9, %17) <{round = false}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %19 = "tosa.select"(%13, %18, %9) : (tensor<1x4x4x1xi1>, tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %20 = "tosa.clz"(%19) : (tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %21 = "tosa.sub"(%20, %10) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %22 = "tosa.arithmetic_right_shift"(%21, %10) <{round = false}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %23 = "tosa.sub"(%22, %10) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %24 = "tosa.sub"(%16, %23) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %25 = "tosa.const"() <{values = dense<[[[[0]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %26 = "tosa.maximum"(%24, %25) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %27 = "tosa.select"(%11, %26, %25) : (tensor<1x4x4x1xi1>, tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %28 = "tosa.sub"(%6, %27) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %29 = "tosa.maximum"(%28, %25) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %30 = "tosa.logical_left_shift"(%5, %29) : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x2xi32>
    %31 = "tosa.const"() <{values = dense<[[[[402653184]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %32 = "tosa.const"() <{values = dense<[[[[50331648]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %33 = "tosa.logical_left_shift"(%23, %10) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %34 = "tosa.logical_left_shift"(%19, %33) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %35 = "tosa.arithmetic_right_shift"(%34, %10) <{round = false}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %36 = "tosa.arithmetic_right_shift"(%35, %10) <{round = true}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %37 = "tosa.const"() <{values = dense<[[[[268435456]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %38 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %39 = "tosa.mul"(%36, %37, %38) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %40 = "tosa.sub"(%32, %39) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %41 = "tosa.const"() <{values = dense<[[[[3]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %42 = "tosa.logical_left_shift"(%40, %41) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %43 = "tosa.mul"(%31, %42, %38) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %44 = "tosa.mul"(%42, %42, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %45 = "tosa.mul"(%44, %42, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %46 = "tosa.const"() <{values = dense<[[[[6]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %47 = "tosa.logical_left_shift"(%45, %46) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %48 = "tosa.mul"(%36, %47, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %49 = "tosa.sub"(%43, %48) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %50 = "tosa.logical_left_shift"(%49, %41) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %51 = "tosa.mul"(%31, %50, %38) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %52 = "tosa.mul"(%50, %50, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %53 = "tosa.mul"(%52, %50, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %54 = "tosa.logical_left_shift"(%53, %46) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %55 = "tosa.mul"(%36, %54, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %56 = "tosa.sub"(%51, %55) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %57 = "tosa.logical_left_shift"(%56, %41) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %58 = "tosa.mul"(%31, %57, %38) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %59 = "tosa.mul"(%57, %57, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %60 = "tosa.mul"(%59, %57, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %61 = "tosa.logical_left_shift"(%60, %46) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %62 = "tosa.mul"(%36, %61, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %63 = "tosa.sub"(%58, %62) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %64 = "tosa.logical_left_shift"(%63, %41) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %65 = "tosa.mul"(%31, %64, %38) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %66 = "tosa.mul"(%64, %64, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %67 = "tosa.mul"(%66, %64, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %68 = "tosa.logical_left_shift"(%67, %46) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %69 = "tosa.mul"(%36, %68, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %70 = "tosa.sub"(%65, %69) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %71 = "tosa.logical_left_shift"(%70, %41) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %72 = "tosa.const"() <{values = dense<[[[[1518500250]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %73 = "tosa.mul"(%71, %72, %38) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %74 = "tosa.negate"(%24, %4, %4) : (tensor<1x4x4x1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x1xi32>
    %75 = "tosa.maximum"(%74, %25) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %76 = "tosa.logical_left_shift"(%73, %75) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %77 = "tosa.const"() <{values = dense<[[[[2147483647]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %78 = "tosa.select"(%11, %76, %77) : (tensor<1x4x4x1xi1>, tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %79 = "tosa.mul"(%30, %78, %38) : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
    %80 = "tosa.negate"(%28, %4, %4) : (tensor<1x4x4x1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x1xi32>
    %81 = "tosa.maximum"(%80, %25) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %82 = "tosa.greater"(%81, %25) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi1>
    %83 = "tosa.const"() <{values = dense<[[[[31]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %84 = "tosa.arithmetic_right_shift"(%79, %83) <{round = false}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %85 = "tosa.select"(%82, %84, %25) : (tensor<1x4x4x1xi1>, tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %86 = "tosa.add"(%79, %85) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %87 = "tosa.arithmetic_right_shift"(%86, %81) <{round = true}> : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x2xi32>
    %88 = "tosa.rescale"(%87, %1, %2, %4, %7) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
    return %88 : tensor<1x4x4x2xi8>
  }
}
