// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "output_12"}) {
    %1 = "aten.isinf.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    return %1 : tensor<2x3x4xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "output_12"}) {
    %1 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %2 = "tosa.const"() <{values = dense<[[[inf]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %3 = "tosa.equal"(%1, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    return %3 : tensor<2x3x4xi1>
  }
}
