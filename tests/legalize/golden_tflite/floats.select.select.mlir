// before
module {
  func.func @"main"(%arg0: tensor<1x4x30xi1> {tosa.tensor_name = "in0"}, %arg1: tensor<2x1x30xi1> {tosa.tensor_name = "in1"}, %arg2: tensor<2x4x30xi1> {tosa.tensor_name = "in2"}) -> (tensor<2x4x30xi1> {tosa.tensor_name = "out0"}) {
    %3 = "tosa.select"(%arg0, %arg1, %arg2) : (tensor<1x4x30xi1>, tensor<2x1x30xi1>, tensor<2x4x30xi1>) -> tensor<2x4x30xi1>
    return %3 : tensor<2x4x30xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x30xi1> {tosa.tensor_name = "in0"}, %arg1: tensor<2x1x30xi1> {tosa.tensor_name = "in1"}, %arg2: tensor<2x4x30xi1> {tosa.tensor_name = "in2"}) -> (tensor<2x4x30xi1> {tosa.tensor_name = "out0"}) {
    %3 = "tfl.select_v2"(%arg0, %arg1, %arg2) : (tensor<1x4x30xi1>, tensor<2x1x30xi1>, tensor<2x4x30xi1>) -> tensor<2x4x30xi1>
    return %3 : tensor<2x4x30xi1>
  }
}
