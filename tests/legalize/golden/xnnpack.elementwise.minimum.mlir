// before
module {
  func.func @"main"(%arg0: tensor<4x24xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24xf32> {tosa.tensor_name = "v1"}) -> (tensor<4x24xf32> {tosa.tensor_name = "v2"}) {
    %2 = "xnn.minimum"(%arg0, %arg1) <{flags = 0 : i64}> : (tensor<4x24xf32>, tensor<4x24xf32>) -> tensor<4x24xf32>
    return %2 : tensor<4x24xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24xf32> {tosa.tensor_name = "v1"}) -> (tensor<4x24xf32> {tosa.tensor_name = "v2"}) {
    %2 = "tosa.minimum"(%arg0, %arg1) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x24xf32>, tensor<4x24xf32>) -> tensor<4x24xf32>
    return %2 : tensor<4x24xf32>
  }
}
