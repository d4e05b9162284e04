// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:0>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.quantize"(%arg0) : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:0>> loc("main:0 QUANTIZE 't1'")
    return %1 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<"0x00004000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 QUANTIZE 't1'")
    %2 = "tosa.const"() <{values = dense<"0x17"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 QUANTIZE 't1'")
    %3 = "tosa.const"() <{values = dense<"0xFD"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 QUANTIZE 't1'")
    %4 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 QUANTIZE 't1'")
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi8> loc("main:0 QUANTIZE 't1'")
    return %5 : tensor<1x4x4x2xi8>
  }
}
