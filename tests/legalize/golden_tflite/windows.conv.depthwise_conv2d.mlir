// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[[[[1.3291015625, 2.267578125], [3.19140625, -2.55078125], [1.26953125, -0.9404296875]]]]> : tensor<1x1x3x2xf16>}> : () -> tensor<1x1x3x2xf16>
    %2 = "tosa.const"() <{values = dense<[5.0, -8.0, 1.0, -1.0, 6.0, -6.0]> : tensor<6xf16>}> : () -> tensor<6xf16>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %4 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %5 = "tosa.depthwise_conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f16, local_bound = true}> : (tensor<2x4x5x3xf16>, tensor<1x1x3x2xf16>, tensor<6xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x4x5x6xf16>
    return %5 : tensor<2x4x5x6xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x4x5x3xf16>) -> tensor<2x4x5x3xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[[[[1.3291015625, 2.267578125, 3.19140625, -2.55078125, 1.26953125, -0.9404296875]]]]> : tensor<1x1x1x6xf32>}> : () -> tensor<1x1x1x6xf32>
    %3 = "tfl.pseudo_const"() <{values = dense<[5.0, -8.0, 1.0, -1.0, 6.0, -6.0]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %4 = "tfl.depthwise_conv_2d"(%1, %2, %3) <{padding = "VALID", stride_h = 1 : i64, stride_w = 1 : i64, dilation_h_factor = 1 : i64, dilation_w_factor = 1 : i64, depth_multiplier = 2 : i64}> : (tensor<2x4x5x3xf32>, tensor<1x1x1x6xf32>, tensor<6xf32>) -> tensor<2x4x5x6xf32>
    %5 = "tfl.cast"(%4) : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf16>
    return %5 : tensor<2x4x5x6xf16>
  }
}
