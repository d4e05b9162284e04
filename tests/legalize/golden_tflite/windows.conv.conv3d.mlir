// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x6x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6x4xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[[[[[-1.0927734375, -2.599609375, 0.452880859375]]]], [[[[1.3740234375, -3.4140625, 2.84375]]]], [[[[0.3291015625, -1.220703125, 2.43359375]]]], [[[[-1.0947265625, 2.208984375, -0.045379638671875]]]]]> : tensor<4x1x1x1x3xf16>}> : () -> tensor<4x1x1x1x3xf16>
    %2 = "tosa.const"() <{values = dense<[4.0, -5.0, 5.0, 2.0]> : tensor<4xf16>}> : () -> tensor<4xf16>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %4 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %5 = "tosa.conv3d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>, acc_type = f16, local_bound = true}> : (tensor<2x4x5x6x3xf16>, tensor<4x1x1x1x3xf16>, tensor<4xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x4x5x6x4xf16>
    return %5 : tensor<2x4x5x6x4xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x6x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6x4xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x4x5x6x3xf16>) -> tensor<2x4x5x6x3xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[[[[[-1.0927734375, 1.3740234375, 0.3291015625, -1.0947265625], [-2.599609375, -3.4140625, -1.220703125, 2.208984375], [0.452880859375, 2.84375, 2.43359375, -0.045379638671875]]]]]> : tensor<1x1x1x3x4xf32>}> : () -> tensor<1x1x1x3x4xf32>
    %3 = "tfl.pseudo_const"() <{values = dense<[4.0, -5.0, 5.0, 2.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %4 = "tfl.conv_3d"(%1, %2, %3) <{padding = "VALID", stride_d = 1 : i64, stride_h = 1 : i64, stride_w = 1 : i64, dilation_d_factor = 1 : i64, dilation_h_factor = 1 : i64, dilation_w_factor = 1 : i64}> : (tensor<2x4x5x6x3xf32>, tensor<1x1x1x3x4xf32>, tensor<4xf32>) -> tensor<2x4x5x6x4xf32>
    %5 = "tfl.cast"(%4) : (tensor<2x4x5x6x4xf32>) -> tensor<2x4x5x6x4xf16>
    return %5 : tensor<2x4x5x6x4xf16>
  }
}
