// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 QUANTIZE 't1'")
    %2 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 QUANTIZE 't1'")
    %3 = "tosa.const"() <{values = dense<"0x7D"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 QUANTIZE 't1'")
    %4 = "tosa.const"() <{values = dense<"0xFD"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 QUANTIZE 't1'")
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = true, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi8> loc("main:0 QUANTIZE 't1'")
    return %5 : tensor<1x4x4x2xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x80"> : tensor<i8>}> : () -> tensor<i8> loc("main:0 QUANTIZE 't1'")
    %2 = "tfl.bitwise_xor"(%arg0, %1) : (tensor<1x4x4x2xi8>, tensor<i8>) -> tensor<1x4x4x2xi8> loc("main:0 QUANTIZE 't1'")
    return %2 : tensor<1x4x4x2xi8>
  }
}
