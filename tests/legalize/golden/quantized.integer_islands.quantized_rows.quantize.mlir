// before
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}) -> (tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[0.0, 0.25, 0.5], [0.75, 1.0, 1.25], [1.5, 1.75, 2.0], [2.25, 2.5, 2.75]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    %2 = "tfl.embedding_lookup"(%arg0, %1) : (tensor<2xi32>, tensor<4x3xf32>) -> tensor<2x3xf32>
    %3 = "tfl.quantize"(%2) : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
    return %3 : tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xi8> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const"() <{values = dense<[[[-3, -2, -2], [-1, -1, 0], [0, 1, 1], [2, 2, 3]]]> : tensor<1x4x3xi8>}> : () -> tensor<1x4x3xi8>
    %2 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
    %4 = "tosa.gather"(%1, %3) : (tensor<1x4x3xi8>, tensor<1x2xi32>) -> tensor<1x2x3xi8>
    %5 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x2x3xi8>, !tosa.shape<2>) -> tensor<2x3xi8>
    return %6 : tensor<2x3xi8>
  }
}
