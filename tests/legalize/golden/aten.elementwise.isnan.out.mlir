// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "output_11"}) {
    %1 = "aten.isnan.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    return %1 : tensor<2x3x4xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "output_11"}) {
    %1 = "tosa.equal"(%arg0, %arg0) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %2 = "tosa.logical_not"(%1) : (tensor<2x3x4xi1>) -> tensor<2x3x4xi1>
    return %2 : tensor<2x3x4xi1>
  }
}
