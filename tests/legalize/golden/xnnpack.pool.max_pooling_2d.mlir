// before
module {
  func.func @"main"(%arg0: tensor<1x8x7x3xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x4x4x3xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.max_pooling_2d"(%arg0) <{padding_top = 1 : i64, padding_right = 0 : i64, padding_bottom = 0 : i64, padding_left = 1 : i64, pooling_height = 3 : i64, pooling_width = 2 : i64, stride_height = 2 : i64, stride_width = 2 : i64, dilation_height = 1 : i64, dilation_width = 1 : i64, flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<1x8x7x3xf32>) -> tensor<1x4x4x3xf32>
    return %1 : tensor<1x4x4x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x8x7x3xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x4x4x3xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 3, 2>, stride = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x8x7x3xf32>) -> tensor<1x4x4x3xf32>
    %2 = "tosa.clamp"(%1) <{min_val = 0xBF000000 : f32, max_val = 0x3FA00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    return %2 : tensor<1x4x4x3xf32>
  }
}
