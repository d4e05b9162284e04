// before
module {
  func.func @"main"(%arg0: tensor<2x4xi64> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = ""}) {
    %1 = "aten._to_dim_order_copy.out"(%arg0) <{non_blocking = false, dim_order = array<i64: 0, 1>}> : (tensor<2x4xi64>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4xi32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.cast"(%arg0) : (tensor<2x4xi32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
}
