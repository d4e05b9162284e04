// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.dequantize"(%arg0) : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>) -> tensor<1x4x4x2xf32> loc("main:0 DEQUANTIZE 't1'")
    return %1 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 DEQUANTIZE 't1'")
    %2 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 DEQUANTIZE 't1'")
    %3 = "tosa.const"() <{values = dense<"0xFD"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 DEQUANTIZE 't1'")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 DEQUANTIZE 't1'")
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DEQUANTIZE 't1'")
    %6 = "tosa.cast"(%5) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xf32> loc("main:0 DEQUANTIZE 't1'")
    %7 = "tosa.const"() <{values = dense<"0xCDCC4C3D"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 DEQUANTIZE 't1'")
    %8 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 DEQUANTIZE 't1'")
    %9 = "tosa.mul"(%6, %7, %8) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32> loc("main:0 DEQUANTIZE 't1'")
    return %9 : tensor<1x4x4x2xf32>
  }
}
