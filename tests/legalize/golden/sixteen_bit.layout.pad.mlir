// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x6x6x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x0000000000000000010000000100000001000000010000000000000000000000"> : tensor<4x2xi32>}> : () -> tensor<4x2xi32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.pad"(%arg0, %1) : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>, tensor<4x2xi32>) -> tensor<1x6x6x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> loc("main:0 PAD 't2'")
    return %2 : tensor<1x6x6x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x6x6x2xi16> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>}> : () -> !tosa.shape<8> loc("main:0 PAD 't2'")
    %2 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xi16>}> : () -> tensor<1xi16> loc("main:0 PAD 't2'")
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<1x4x4x2xi16>, !tosa.shape<8>, tensor<1xi16>) -> tensor<1x6x6x2xi16> loc("main:0 PAD 't2'")
    return %3 : tensor<1x6x6x2xi16>
  }
}
