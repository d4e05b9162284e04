// before
module {
  func.func @"main"(%arg0: tensor<1x8x7x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x4x7x4xf32> {tosa.tensor_name = "v3"}) {
    %1 = "xnn.const"() <{values = dense<sha256 598d2140e80d0b3a> : tensor<1x3x2x4xf32>}> : () -> tensor<1x3x2x4xf32>
    %2 = "xnn.const"() <{values = dense<[-0.580768883228302, 1.3855743408203125, 1.649530291557312, 1.3097387552261353]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %3 = "xnn.depthwise_conv_2d"(%arg0, %1, %2) <{padding_top = 1 : i64, padding_right = 0 : i64, padding_bottom = 0 : i64, padding_left = 1 : i64, kernel_height = 3 : i64, kernel_width = 2 : i64, subsampling_height = 2 : i64, subsampling_width = 1 : i64, dilation_height = 1 : i64, dilation_width = 1 : i64, group_input_channels = 1 : i64, group_output_channels = 1 : i64, groups = 4 : i64, adjustment_height = 0 : i64, adjustment_width = 0 : i64, flags = 0 : i64}> : (tensor<1x8x7x4xf32>, tensor<1x3x2x4xf32>, tensor<4xf32>) -> tensor<1x4x7x4xf32>
    return %3 : tensor<1x4x7x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x8x7x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x4x7x4xf32> {tosa.tensor_name = "v3"}) {
    %1 = "tosa.const"() <{values = dense<sha256 598d2140e80d0b3a> : tensor<3x2x4x1xf32>}> : () -> tensor<3x2x4x1xf32>
    %2 = "tosa.const"() <{values = dense<[-0.580768883228302, 1.3855743408203125, 1.649530291557312, 1.3097387552261353]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tosa.depthwise_conv2d"(%arg0, %1, %2, %3, %3) <{pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 1>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x8x7x4xf32>, tensor<3x2x4x1xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x7x4xf32>
    return %4 : tensor<1x4x7x4xf32>
  }
}
