// before
module {
  func.func @"main"(%arg0: tensor<1x8x7x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x4x7x6xf32> {tosa.tensor_name = "v3"}) {
    %1 = "xnn.const"() <{values = dense<sha256 c69ae83818db9d12> : tensor<6x3x2x4xf32>}> : () -> tensor<6x3x2x4xf32>
    %2 = "xnn.const"() <{values = dense<[0.3881795108318329, 0.3816862106323242, 0.8076699376106262, -0.3416510820388794, 0.6352198123931885, -0.2509874105453491]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %3 = "xnn.conv_2d"(%arg0, %1, %2) <{padding_top = 1 : i64, padding_right = 0 : i64, padding_bottom = 0 : i64, padding_left = 1 : i64, kernel_height = 3 : i64, kernel_width = 2 : i64, subsampling_height = 2 : i64, subsampling_width = 1 : i64, dilation_height = 1 : i64, dilation_width = 1 : i64, group_input_channels = 4 : i64, group_output_channels = 6 : i64, groups = 1 : i64, adjustment_height = 0 : i64, adjustment_width = 0 : i64, flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<1x8x7x4xf32>, tensor<6x3x2x4xf32>, tensor<6xf32>) -> tensor<1x4x7x6xf32>
    return %3 : tensor<1x4x7x6xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x8x7x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x4x7x6xf32> {tosa.tensor_name = "v3"}) {
    %1 = "tosa.const"() <{values = dense<sha256 c69ae83818db9d12> : tensor<6x3x2x4xf32>}> : () -> tensor<6x3x2x4xf32>
    %2 = "tosa.const"() <{values = dense<[0.3881795108318329, 0.3816862106323242, 0.8076699376106262, -0.3416510820388794, 0.6352198123931885, -0.2509874105453491]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tosa.conv2d"(%arg0, %1, %2, %3, %3) <{pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 1>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x8x7x4xf32>, tensor<6x3x2x4xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x7x6xf32>
    %5 = "tosa.clamp"(%4) <{min_val = 0xBF000000 : f32, max_val = 0x3FA00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x7x6xf32>) -> tensor<1x4x7x6xf32>
    return %5 : tensor<1x4x7x6xf32>
  }
}
