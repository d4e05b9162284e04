// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "output_20"}) {
    %1 = "aten.ne.Scalar_out"(%arg0) <{other = 0 : i64}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    return %1 : tensor<2x3x4xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "output_20"}) {
    %1 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %2 = "tosa.equal"(%arg0, %1) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %3 = "tosa.logical_not"(%2) : (tensor<2x3x4xi1>) -> tensor<2x3x4xi1>
    return %3 : tensor<2x3x4xi1>
  }
}
