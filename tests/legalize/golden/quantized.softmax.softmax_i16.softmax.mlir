// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 3.0517578125e-05:0>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.softmax"(%arg0) <{beta = 0x3F800000 : f32}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 3.0517578125e-05:0>>
    return %1 : tensor<1x4x4x2x!quant.uniform<i16:f32, 3.0517578125e-05:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %2 = "tosa.reduce_max"(%arg0) <{axis = 3 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x1xi16>
    %3 = "tosa.cast"(%2) : (tensor<1x4x4x1xi16>) -> tensor<1x4x4x1xi32>
    %4 = "tosa.sub"(%1, %3) : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x2xi32>
    %5 = "tosa.const"() <{values = dense<[1374368584]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.const"() <{values = dense<[22]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %8 = "tosa.rescale"(%4, %5, %6, %7, %7) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %9 = "tosa.const"() <{values = dense<[[[[32767]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %10 = "tosa.add"(%8, %9) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %11 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %12 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %13 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %14 = "tosa.rescale"(%10, %11, %12, %7, %13) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
    %15 = "tosa.const"() <{values = dense<sha256 1f064505e52b5558> : tensor<513xi16>}> : () -> tensor<513xi16>
    %16 = "tosa.table"(%14, %15) : (tensor<1x4x4x2xi16>, tensor<513xi16>) -> tensor<1x4x4x2xi32>
    %17 = "tosa.const"() <{values = dense<[37]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %18 = "tosa.rescale"(%16, %11, %17, %7, %7) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %19 = "tosa.reduce_sum"(%18) <{axis = 3 : i32}> : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x1xi32>
    %20 = "tosa.clz"(%19) : (tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %21 = "tosa.const"() <{values = dense<[[[[1]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %22 = "tosa.sub"(%20, %21) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %23 = "tosa.logical_left_shift"(%19, %22) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %24 = "tosa.const"() <{values = dense<[[[[14]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %25 = "tosa.arithmetic_right_shift"(%23, %24) <{round = true}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %26 = "tosa.const"() <{values = dense<[[[[98304]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %27 = "tosa.sub"(%25, %26) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %28 = "tosa.rescale"(%27, %11, %12, %7, %13) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x1xi16>
    %29 = "tosa.const"() <{values = dense<sha256 91d5e4c0142043c0> : tensor<513xi16>}> : () -> tensor<513xi16>
    %30 = "tosa.table"(%28, %29) : (tensor<1x4x4x1xi16>, tensor<513xi16>) -> tensor<1x4x4x1xi32>
    %31 = "tosa.rescale"(%30, %11, %17, %7, %7) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x1xi32>
    %32 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %33 = "tosa.mul"(%18, %31, %32) : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
    %34 = "tosa.const"() <{values = dense<[[[[31]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %35 = "tosa.sub"(%34, %20) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %36 = "tosa.arithmetic_right_shift"(%33, %35) <{round = true}> : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x2xi32>
    %37 = "tosa.rescale"(%36, %11, %12, %7, %13) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
    return %37 : tensor<1x4x4x2xi16>
  }
}
