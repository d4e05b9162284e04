// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.leaky_relu"(%arg0) <{alpha = 0x00000000 : f32}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> loc("main:0 LEAKY_RELU 't1'")
    return %1 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 LEAKY_RELU 't1'")
    %2 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 LEAKY_RELU 't1'")
    %3 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xi16>}> : () -> tensor<1xi16> loc("main:0 LEAKY_RELU 't1'")
    %4 = "tosa.rescale"(%arg0, %1, %2, %3, %3) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x4x4x2xi16> loc("main:0 LEAKY_RELU 't1'")
    %5 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 LEAKY_RELU 't1'")
    %6 = "tosa.const"() <{values = dense<"0x3E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 LEAKY_RELU 't1'")
    %7 = "tosa.rescale"(%arg0, %5, %6, %3, %3) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x4x4x2xi16> loc("main:0 LEAKY_RELU 't1'")
    %8 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32> loc("main:0 LEAKY_RELU 't1'")
    %9 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 LEAKY_RELU 't1'")
    %10 = "tosa.greater_equal"(%8, %9) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi1> loc("main:0 LEAKY_RELU 't1'")
    %11 = "tosa.select"(%10, %4, %7) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi16>, tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16> loc("main:0 LEAKY_RELU 't1'")
    return %11 : tensor<1x4x4x2xi16>
  }
}
