// before
module {
  func.func @"main"(%arg0: tensor<1x5x4x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x9x10x6xf32> {tosa.tensor_name = "v3"}) {
    %1 = "xnn.const"() <{values = dense<sha256 c128ff030647dfa6> : tensor<6x3x2x4xf32>}> : () -> tensor<6x3x2x4xf32>
    %2 = "xnn.const"() <{values = dense<[0.5324346423149109, -0.9141092300415039, 1.5518275499343872, 1.7695062160491943, -0.24977460503578186, -0.3380345106124878]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %3 = "xnn.conv_transpose_2d"(%arg0, %1, %2) <{padding_top = 1 : i64, padding_right = 0 : i64, padding_bottom = 1 : i64, padding_left = 1 : i64, kernel_height = 3 : i64, kernel_width = 2 : i64, subsampling_height = 2 : i64, subsampling_width = 3 : i64, dilation_height = 1 : i64, dilation_width = 1 : i64, group_input_channels = 4 : i64, group_output_channels = 6 : i64, groups = 1 : i64, adjustment_height = 0 : i64, adjustment_width = 0 : i64, flags = 0 : i64}> : (tensor<1x5x4x4xf32>, tensor<6x3x2x4xf32>, tensor<6xf32>) -> tensor<1x9x10x6xf32>
    return %3 : tensor<1x9x10x6xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x5x4x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x9x10x6xf32> {tosa.tensor_name = "v3"}) {
    %1 = "tosa.const"() <{values = dense<sha256 c128ff030647dfa6> : tensor<6x3x2x4xf32>}> : () -> tensor<6x3x2x4xf32>
    %2 = "tosa.const"() <{values = dense<[0.5324346423149109, -0.9141092300415039, 1.5518275499343872, 1.7695062160491943, -0.24977460503578186, -0.3380345106124878]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tosa.transpose_conv2d"(%arg0, %1, %2, %3, %3) <{out_pad = array<i64: -1, -1, -1, 0>, stride = array<i64: 2, 3>, acc_type = f32, local_bound = false}> : (tensor<1x5x4x4xf32>, tensor<6x3x2x4xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x9x10x6xf32>
    return %4 : tensor<1x9x10x6xf32>
  }
}
