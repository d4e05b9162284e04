// before
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<3x5xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 1, 0, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const"() <{values = dense<[7]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<2x3xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<5x6xi8>
    %4 = "tosa.const_shape"() <{values = dense<[1, 0]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %5 = "tosa.const_shape"() <{values = dense<[3, 5]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %6 = "tosa.slice"(%3, %4, %5) : (tensor<5x6xi8>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<3x5xi8>
    return %6 : tensor<3x5xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<3x5xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 0, 0, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const"() <{values = dense<[7]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<2x3xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<3x5xi8>
    return %3 : tensor<3x5xi8>
  }
}
