// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_3"}) {
    %1 = "aten.relu.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_3"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = 0x00000000 : f32, max_val = 0x7F800000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
