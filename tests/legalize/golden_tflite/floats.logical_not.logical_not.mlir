// before
module {
  func.func @"main"(%arg0: tensor<3x5x7xi1> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.logical_not"(%arg0) : (tensor<3x5x7xi1>) -> tensor<3x5x7xi1>
    return %1 : tensor<3x5x7xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x5x7xi1> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.logical_not"(%arg0) : (tensor<3x5x7xi1>) -> tensor<3x5x7xi1>
    return %1 : tensor<3x5x7xi1>
  }
}
