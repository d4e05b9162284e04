// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_12"}) {
    %1 = "aten.neg.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_12"}) {
    %1 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.negate"(%arg0, %1, %1) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
