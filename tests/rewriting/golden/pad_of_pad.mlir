// before
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<6x6xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 0, 0, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const"() <{values = dense<[5]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<2x3xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<3x5xi8>
    %4 = "tosa.const_shape"() <{values = dense<[0, 3, 1, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.pad"(%3, %4, %2) : (tensor<3x5xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<6x6xi8>
    return %5 : tensor<6x6xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<6x6xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 3, 1, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const"() <{values = dense<[5]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<2x3xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<6x6xi8>
    return %3 : tensor<6x6xi8>
  }
}
