// before
module {
  func.func @"main"(%arg0: tensor<2x1x30xi1> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30xi1> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30xi1> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.logical_xor"(%arg0, %arg1) : (tensor<2x1x30xi1>, tensor<2x4x30xi1>) -> tensor<2x4x30xi1>
    return %2 : tensor<2x4x30xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x1x30xi1> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30xi1> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30xi1> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.not_equal"(%arg0, %arg1) : (tensor<2x1x30xi1>, tensor<2x4x30xi1>) -> tensor<2x4x30xi1>
    return %2 : tensor<2x4x30xi1>
  }
}
