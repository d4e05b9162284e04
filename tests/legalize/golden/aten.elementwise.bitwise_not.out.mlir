// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "output_27"}) {
    %1 = "aten.bitwise_not.out"(%arg0) : (tensor<2x3x4xi1>) -> tensor<2x3x4xi1>
    return %1 : tensor<2x3x4xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "output_27"}) {
    %1 = "tosa.logical_not"(%arg0) : (tensor<2x3x4xi1>) -> tensor<2x3x4xi1>
    return %1 : tensor<2x3x4xi1>
  }
}
