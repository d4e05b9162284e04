// before
module {
  func.func @"main"(%arg0: tensor<5x6xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.const_shape"() <{values = dense<[4, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<5x6xi8>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<4x4xi8>
    %4 = "tosa.const_shape"() <{values = dense<[1, 0]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %5 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %6 = "tosa.slice"(%3, %4, %5) : (tensor<4x4xi8>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x3xi8>
    return %6 : tensor<2x3xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<5x6xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<5x6xi8>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x3xi8>
    return %3 : tensor<2x3xi8>
  }
}
