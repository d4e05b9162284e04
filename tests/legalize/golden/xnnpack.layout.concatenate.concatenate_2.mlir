// before
module {
  func.func @"main"(%arg0: tensor<2x1xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<2x2xf32> {tosa.tensor_name = "v1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "v2"}) {
    %2 = "xnn.concatenate_2"(%arg0, %arg1) <{axis = 1 : i64, flags = 0 : i64}> : (tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x1xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<2x2xf32> {tosa.tensor_name = "v1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "v2"}) {
    %2 = "tosa.concat"(%arg0, %arg1) <{axis = 1 : i32}> : (tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
