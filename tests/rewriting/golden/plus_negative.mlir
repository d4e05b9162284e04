// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "x"}) -> (tensor<2x3xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.negate"(%arg0, %1, %1) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
    %3 = "tosa.add"(%2, %arg0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %3 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "x"}) -> (tensor<2x3xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.sub"(%arg0, %arg0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
