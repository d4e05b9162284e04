// before
module {
  func.func @"main"(%arg0: tensor<3x5x7xi32> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.abs"(%arg0) : (tensor<3x5x7xi32>) -> tensor<3x5x7xi32>
    return %1 : tensor<3x5x7xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x5x7xi32> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.abs"(%arg0) : (tensor<3x5x7xi32>) -> tensor<3x5x7xi32>
    return %1 : tensor<3x5x7xi32>
  }
}
