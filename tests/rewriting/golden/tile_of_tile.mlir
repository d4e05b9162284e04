// before
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<4x9xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.tile"(%arg0, %1) : (tensor<2x3xi8>, !tosa.shape<2>) -> tensor<4x3xi8>
    %3 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %4 = "tosa.tile"(%2, %3) : (tensor<4x3xi8>, !tosa.shape<2>) -> tensor<4x9xi8>
    return %4 : tensor<4x9xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<4x9xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.tile"(%arg0, %1) : (tensor<2x3xi8>, !tosa.shape<2>) -> tensor<4x9xi8>
    return %2 : tensor<4x9xi8>
  }
}
