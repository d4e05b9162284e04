// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_16"}) {
    %1 = "aten.sqrt.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_16"}) {
    %1 = "tosa.rsqrt"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %2 = "tosa.reciprocal"(%1) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
