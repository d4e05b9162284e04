// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}, %arg1: tensor<2x5x4xi1> {tosa.tensor_name = "in1"}, %arg2: tensor<2x3x4xi1> {tosa.tensor_name = "in2"}) -> (tensor<2x11x4xi1> {tosa.tensor_name = "out0"}) {
    %3 = "tosa.concat"(%arg0, %arg1, %arg2) <{axis = 1 : i32}> : (tensor<2x3x4xi1>, tensor<2x5x4xi1>, tensor<2x3x4xi1>) -> tensor<2x11x4xi1>
    return %3 : tensor<2x11x4xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}, %arg1: tensor<2x5x4xi1> {tosa.tensor_name = "in1"}, %arg2: tensor<2x3x4xi1> {tosa.tensor_name = "in2"}) -> (tensor<2x11x4xi1> {tosa.tensor_name = "out0"}) {
    %3 = "tfl.concatenation"(%arg0, %arg1, %arg2) <{axis = 1 : i64}> : (tensor<2x3x4xi1>, tensor<2x5x4xi1>, tensor<2x3x4xi1>) -> tensor<2x11x4xi1>
    return %3 : tensor<2x11x4xi1>
  }
}
