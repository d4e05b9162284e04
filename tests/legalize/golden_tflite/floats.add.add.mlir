// before
module {
  func.func @"main"(%arg0: tensor<2x1x30xi32> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30xi32> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30xi32> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.add"(%arg0, %arg1) : (tensor<2x1x30xi32>, tensor<2x4x30xi32>) -> tensor<2x4x30xi32>
    return %2 : tensor<2x4x30xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x1x30xi32> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30xi32> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30xi32> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.add"(%arg0, %arg1) : (tensor<2x1x30xi32>, tensor<2x4x30xi32>) -> tensor<2x4x30xi32>
    return %2 : tensor<2x4x30xi32>
  }
}
