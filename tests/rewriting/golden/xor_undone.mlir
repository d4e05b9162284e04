// before
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 0 : i32}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    %2 = "tosa.const"() <{values = dense<[[-128]]> : tensor<1x1xi8>}> : () -> tensor<1x1xi8>
    %3 = "tosa.bitwise_xor"(%1, %2) : (tensor<2x3xi8>, tensor<1x1xi8>) -> tensor<2x3xi8>
    %4 = "tosa.bitwise_xor"(%3, %2) : (tensor<2x3xi8>, tensor<1x1xi8>) -> tensor<2x3xi8>
    return %4 : tensor<2x3xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 0 : i32}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    return %1 : tensor<2x3xi8>
  }
}
