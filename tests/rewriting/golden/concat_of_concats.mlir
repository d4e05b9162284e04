// before
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x9xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.bitwise_not"(%arg0) : (tensor<2x3xi8>) -> tensor<2x3xi8>
    %2 = "tosa.concat"(%arg0, %1) <{axis = 1 : i32}> : (tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<2x6xi8>
    %3 = "tosa.concat"(%2, %arg0) <{axis = 1 : i32}> : (tensor<2x6xi8>, tensor<2x3xi8>) -> tensor<2x9xi8>
    return %3 : tensor<2x9xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x9xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.bitwise_not"(%arg0) : (tensor<2x3xi8>) -> tensor<2x3xi8>
    %2 = "tosa.concat"(%arg0, %1, %arg0) <{axis = 1 : i32}> : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<2x9xi8>
    return %2 : tensor<2x9xi8>
  }
}
