// before
module {
  func.func @"main"(%arg0: tensor<3x5x7xi8> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.bitwise_not"(%arg0) : (tensor<3x5x7xi8>) -> tensor<3x5x7xi8>
    return %1 : tensor<3x5x7xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x5x7xi8> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<-1> : tensor<i8>}> : () -> tensor<i8>
    %2 = "tfl.bitwise_xor"(%arg0, %1) : (tensor<3x5x7xi8>, tensor<i8>) -> tensor<3x5x7xi8>
    return %2 : tensor<3x5x7xi8>
  }
}
