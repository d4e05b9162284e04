// before
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 0 : i32}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    %2 = "tosa.const_shape"() <{values = dense<[1, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.tile"(%1, %2) : (tensor<2x3xi8>, !tosa.shape<2>) -> tensor<2x3xi8>
    return %3 : tensor<2x3xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 0 : i32}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    return %1 : tensor<2x3xi8>
  }
}
