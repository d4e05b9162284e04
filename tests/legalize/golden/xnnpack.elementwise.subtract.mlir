// before
module {
  func.func @"main"(%arg0: tensor<4x24xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24xf32> {tosa.tensor_name = "v1"}) -> (tensor<4x24xf32> {tosa.tensor_name = "v2"}) {
    %2 = "xnn.subtract"(%arg0, %arg1) <{flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<4x24xf32>, tensor<4x24xf32>) -> tensor<4x24xf32>
    return %2 : tensor<4x24xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24xf32> {tosa.tensor_name = "v1"}) -> (tensor<4x24xf32> {tosa.tensor_name = "v2"}) {
    %2 = "tosa.sub"(%arg0, %arg1) : (tensor<4x24xf32>, tensor<4x24xf32>) -> tensor<4x24xf32>
    %3 = "tosa.clamp"(%2) <{min_val = 0xBF000000 : f32, max_val = 0x3FA00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x24xf32>) -> tensor<4x24xf32>
    return %3 : tensor<4x24xf32>
  }
}
