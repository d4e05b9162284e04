// before
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 0 : i32}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    %2 = "tosa.const_shape"() <{values = dense<[2, 1, 0, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.pad"(%1, %2, %3) : (tensor<2x3xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<5x6xi8>
    %5 = "tosa.const_shape"() <{values = dense<[2, 0]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %6 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %7 = "tosa.slice"(%4, %5, %6) : (tensor<5x6xi8>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x3xi8>
    return %7 : tensor<2x3xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 0 : i32}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    return %1 : tensor<2x3xi8>
  }
}
