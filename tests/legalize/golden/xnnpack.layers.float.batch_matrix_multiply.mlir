// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<2x4x5xf32> {tosa.tensor_name = "v1"}) -> (tensor<2x3x5xf32> {tosa.tensor_name = "v2"}) {
    %2 = "xnn.batch_matrix_multiply"(%arg0, %arg1) <{flags = 0 : i64}> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    return %2 : tensor<2x3x5xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<2x4x5xf32> {tosa.tensor_name = "v1"}) -> (tensor<2x3x5xf32> {tosa.tensor_name = "v2"}) {
    %2 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = "tosa.matmul"(%arg0, %arg1, %2, %2) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5xf32>
    return %3 : tensor<2x3x5xf32>
  }
}
