// before
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<1x2xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.bitwise_not"(%arg0) : (tensor<2x3xi8>) -> tensor<2x3xi8>
    %2 = "tosa.concat"(%arg0, %1) <{axis = 1 : i32}> : (tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<2x6xi8>
    %3 = "tosa.const_shape"() <{values = dense<[1, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %4 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %5 = "tosa.slice"(%2, %3, %4) : (tensor<2x6xi8>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x2xi8>
    return %5 : tensor<1x2xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<1x2xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.bitwise_not"(%arg0) : (tensor<2x3xi8>) -> tensor<2x3xi8>
    %2 = "tosa.const_shape"() <{values = dense<[1, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %4 = "tosa.slice"(%1, %2, %3) : (tensor<2x3xi8>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x2xi8>
    return %4 : tensor<1x2xi8>
  }
}
