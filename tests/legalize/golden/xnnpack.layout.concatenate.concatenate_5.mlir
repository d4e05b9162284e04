// before
module {
  func.func @"main"(%arg0: tensor<2x1xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<2x2xf32> {tosa.tensor_name = "v1"}, %arg2: tensor<2x3xf32> {tosa.tensor_name = "v2"}, %arg3: tensor<2x4xf32> {tosa.tensor_name = "v3"}, %arg4: tensor<2x5xf32> {tosa.tensor_name = "v4"}) -> (tensor<2x15xf32> {tosa.tensor_name = "v5"}) {
    %5 = "xnn.concatenate_5"(%arg0, %arg1, %arg2, %arg3, %arg4) <{axis = 1 : i64, flags = 0 : i64}> : (tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x5xf32>) -> tensor<2x15xf32>
    return %5 : tensor<2x15xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x1xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<2x2xf32> {tosa.tensor_name = "v1"}, %arg2: tensor<2x3xf32> {tosa.tensor_name = "v2"}, %arg3: tensor<2x4xf32> {tosa.tensor_name = "v3"}, %arg4: tensor<2x5xf32> {tosa.tensor_name = "v4"}) -> (tensor<2x15xf32> {tosa.tensor_name = "v5"}) {
    %5 = "tosa.concat"(%arg0, %arg1, %arg2, %arg3, %arg4) <{axis = 1 : i32}> : (tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x5xf32>) -> tensor<2x15xf32>
    return %5 : tensor<2x15xf32>
  }
}
