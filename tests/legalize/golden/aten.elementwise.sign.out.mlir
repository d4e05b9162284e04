// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_10"}) {
    %1 = "aten.sign.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_10"}) {
    %1 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %2 = "tosa.greater"(%arg0, %1) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %3 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %4 = "tosa.greater"(%1, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %5 = "tosa.const"() <{values = dense<[[[-1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %6 = "tosa.select"(%4, %5, %arg0) : (tensor<2x3x4xi1>, tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %7 = "tosa.select"(%2, %3, %6) : (tensor<2x3x4xi1>, tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %7 : tensor<2x3x4xf32>
  }
}
