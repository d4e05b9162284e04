// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "x"}) -> (tensor<2x3xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = 0xBF800000 : f32, max_val = 0x40C00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = "tosa.clamp"(%1) <{min_val = 0x00000000 : f32, max_val = 0x41000000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "x"}) -> (tensor<2x3xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = 0x00000000 : f32, max_val = 0x40C00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
