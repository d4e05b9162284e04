// before
module {
  func.func @"main"(%arg0: tensor<3x50xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x50xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.clamp"(%arg0) <{flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<3x50xf32>) -> tensor<3x50xf32>
    return %1 : tensor<3x50xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x50xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x50xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = 0xBF000000 : f32, max_val = 0x3FA00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<3x50xf32>) -> tensor<3x50xf32>
    return %1 : tensor<3x50xf32>
  }
}
