// before
module {
  func.func @"main"(%arg0: tensor<2x6xi8> {tosa.tensor_name = "x"}) -> (tensor<2x6xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.bitwise_not"(%arg0) : (tensor<2x6xi8>) -> tensor<2x6xi8>
    %2 = "tosa.const_shape"() <{values = dense<[3, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.reshape"(%1, %2) : (tensor<2x6xi8>, !tosa.shape<2>) -> tensor<3x4xi8>
    %4 = "tosa.const_shape"() <{values = dense<[2, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %5 = "tosa.reshape"(%3, %4) : (tensor<3x4xi8>, !tosa.shape<2>) -> tensor<2x6xi8>
    return %5 : tensor<2x6xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x6xi8> {tosa.tensor_name = "x"}) -> (tensor<2x6xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.bitwise_not"(%arg0) : (tensor<2x6xi8>) -> tensor<2x6xi8>
    return %1 : tensor<2x6xi8>
  }
}
