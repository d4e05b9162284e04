// before
module {
  func.func @"main"(%arg0: tensor<2x1xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<2x2xf32> {tosa.tensor_name = "v1"}, %arg2: tensor<2x3xf32> {tosa.tensor_name = "v2"}, %arg3: tensor<2x4xf32> {tosa.tensor_name = "v3"}) -> (tensor<2x10xf32> {tosa.tensor_name = "v4"}) {
    %4 = "xnn.concatenate_4"(%arg0, %arg1, %arg2, %arg3) <{axis = 1 : i64, flags = 0 : i64}> : (tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x10xf32>
    return %4 : tensor<2x10xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x1xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<2x2xf32> {tosa.tensor_name = "v1"}, %arg2: tensor<2x3xf32> {tosa.tensor_name = "v2"}, %arg3: tensor<2x4xf32> {tosa.tensor_name = "v3"}) -> (tensor<2x10xf32> {tosa.tensor_name = "v4"}) {
    %4 = "tosa.concat"(%arg0, %arg1, %arg2, %arg3) <{axis = 1 : i32}> : (tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x10xf32>
    return %4 : tensor<2x10xf32>
  }
}
