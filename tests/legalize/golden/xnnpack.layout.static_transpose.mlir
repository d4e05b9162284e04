// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<4x2x3xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.static_transpose"(%arg0) <{num_dims = 3 : i64, perm = array<i64: 2, 0, 1>, flags = 0 : i64}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    return %1 : tensor<4x2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<4x2x3xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 2, 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    return %1 : tensor<4x2x3xf32>
  }
}
