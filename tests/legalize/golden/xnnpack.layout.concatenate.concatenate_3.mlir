// before
module {
  func.func @"main"(%arg0: tensor<2x1xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<2x2xf32> {tosa.tensor_name = "v1"}, %arg2: tensor<2x3xf32> {tosa.tensor_name = "v2"}) -> (tensor<2x6xf32> {tosa.tensor_name = "v3"}) {
    %3 = "xnn.concatenate_3"(%arg0, %arg1, %arg2) <{axis = 1 : i64, flags = 0 : i64}> : (tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
    return %3 : tensor<2x6xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x1xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<2x2xf32> {tosa.tensor_name = "v1"}, %arg2: tensor<2x3xf32> {tosa.tensor_name = "v2"}) -> (tensor<2x6xf32> {tosa.tensor_name = "v3"}) {
    %3 = "tosa.concat"(%arg0, %arg1, %arg2) <{axis = 1 : i32}> : (tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
    return %3 : tensor<2x6xf32>
  }
}
