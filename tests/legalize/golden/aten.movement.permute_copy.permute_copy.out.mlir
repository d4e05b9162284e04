// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<4x2x3xf32> {tosa.tensor_name = "output_1"}) {
    %1 = "aten.permute_copy.out"(%arg0) <{dims = array<i64: 2, 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    return %1 : tensor<4x2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<4x2x3xf32> {tosa.tensor_name = "output_1"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 2, 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    return %1 : tensor<4x2x3xf32>
  }
}
