// before
module {
  func.func @"main"(%arg0: tensor<3x5x7xi8> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.bitwise_not"(%arg0) : (tensor<3x5x7xi8>) -> tensor<3x5x7xi8>
    return %1 : tensor<3x5x7xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x5x7x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<-1> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 1.0:0>>
    %2 = "tfl.bitwise_xor"(%arg0, %1) : (tensor<3x5x7x!quant.uniform<i8:f32, 1.0:0>>, tensor<!quant.uniform<i8:f32, 1.0:0>>) -> tensor<3x5x7x!quant.uniform<i8:f32, 1.0:0>>
    return %2 : tensor<3x5x7x!quant.uniform<i8:f32, 1.0:0>>
  }
}
