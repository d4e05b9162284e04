// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 3.0517578125e-05:0>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.softmax"(%arg0) <{beta = 0x3F800000 : f32}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 3.0517578125e-05:0>> loc("main:0 SOFTMAX 't1'")
    return %1 : tensor<1x4x4x2x!quant.uniform<i16:f32, 3.0517578125e-05:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.reduce_max"(%arg0) <{axis = 3 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x1xi16> loc("main:0 SOFTMAX 't1'")
    %2 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %3 = "tosa.cast"(%1) : (tensor<1x4x4x1xi16>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %4 = "tosa.sub"(%2, %3) : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %5 = "tosa.const"() <{values = dense<"0x4833EB51"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 SOFTMAX 't1'")
    %6 = "tosa.const"() <{values = dense<"0x16"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SOFTMAX 't1'")
    %7 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 SOFTMAX 't1'")
    %8 = "tosa.rescale"(%4, %5, %6, %7, %7) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %9 = "tosa.const"() <{values = dense<"0xFF7F0000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SOFTMAX 't1'")
    %10 = "tosa.add"(%8, %9) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %11 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 SOFTMAX 't1'")
    %12 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SOFTMAX 't1'")
    %13 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xi16>}> : () -> tensor<1xi16> loc("main:0 SOFTMAX 't1'")
    %14 = "tosa.rescale"(%10, %11, %12, %7, %13) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x2xi16> loc("main:0 SOFTMAX 't1'")
    %15 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<513xi16>}> : () -> tensor<513xi16> loc("main:0 SOFTMAX 't1'")
    %16 = "tosa.table"(%14, %15) : (tensor<1x4x4x2xi16>, tensor<513xi16>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %17 = "tosa.const"() <{values = dense<"0x25"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SOFTMAX 't1'")
    %18 = "tosa.rescale"(%16, %11, %17, %7, %7) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %19 = "tosa.reduce_sum"(%18) <{axis = 3 : i32}> : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %20 = "tosa.clz"(%19) : (tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %21 = "tosa.const"() <{values = dense<"0x01000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SOFTMAX 't1'")
    %22 = "tosa.sub"(%20, %21) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %23 = "tosa.logical_left_shift"(%19, %22) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %24 = "tosa.const"() <{values = dense<"0x0E000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SOFTMAX 't1'")
    %25 = "tosa.arithmetic_right_shift"(%23, %24) <{round = true}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %26 = "tosa.const"() <{values = dense<"0x00800100"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SOFTMAX 't1'")
    %27 = "tosa.sub"(%25, %26) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %28 = "tosa.rescale"(%27, %11, %12, %7, %13) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x1xi16> loc("main:0 SOFTMAX 't1'")
    %29 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<513xi16>}> : () -> tensor<513xi16> loc("main:0 SOFTMAX 't1'")
    %30 = "tosa.table"(%28, %29) : (tensor<1x4x4x1xi16>, tensor<513xi16>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %31 = "tosa.rescale"(%30, %11, %17, %7, %7) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %32 = "tosa.const"() <{values = dense<"0x1F000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SOFTMAX 't1'")
    %33 = "tosa.sub"(%32, %20) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %34 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SOFTMAX 't1'")
    %35 = "tosa.mul"(%18, %31, %34) : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %36 = "tosa.arithmetic_right_shift"(%35, %33) <{round = true}> : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %37 = "tosa.rescale"(%36, %11, %12, %7, %13) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x2xi16> loc("main:0 SOFTMAX 't1'")
    return %37 : tensor<1x4x4x2xi16>
  }
}
