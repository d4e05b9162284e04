// before
module {
  func.func @"main"(%arg0: tensor<1x3x4xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x5xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x3x5xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.batch_matmul"(%arg0, %arg1) <{adj_x = false, adj_y = false, asymmetric_quantize_inputs = false}> : (tensor<1x3x4xf32>, tensor<1x4x5xf32>) -> tensor<1x3x5xf32>
    return %2 : tensor<1x3x5xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x3x4xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x5xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x3x5xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = "tosa.matmul"(%arg0, %arg1, %2, %2) : (tensor<1x3x4xf32>, tensor<1x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x5xf32>
    return %3 : tensor<1x3x5xf32>
  }
}
