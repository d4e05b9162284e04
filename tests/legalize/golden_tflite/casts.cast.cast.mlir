// before
module {
  func.func @"main"(%arg0: tensor<3x90xi1> {tosa.tensor_name = "in0"}) -> (tensor<3x90xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.cast"(%arg0) : (tensor<3x90xi1>) -> tensor<3x90xi8>
    return %1 : tensor<3x90xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x90xi1> {tosa.tensor_name = "in0"}) -> (tensor<3x90x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<3x90xi1>) -> tensor<3x90x!quant.uniform<i8:f32, 1.0:0>>
    return %1 : tensor<3x90x!quant.uniform<i8:f32, 1.0:0>>
  }
}
