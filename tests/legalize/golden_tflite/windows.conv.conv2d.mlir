// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x4xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[[[[0.3740234375, 3.177734375, 0.541015625]]], [[[2.494140625, 2.447265625, -3.228515625]]], [[[3.919921875, -3.5078125, 1.3369140625]]], [[[-2.275390625, 1.1123046875, -1.734375]]]]> : tensor<4x1x1x3xf16>}> : () -> tensor<4x1x1x3xf16>
    %2 = "tosa.const"() <{values = dense<[-1.0, 6.0, -5.0, 2.0]> : tensor<4xf16>}> : () -> tensor<4xf16>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %4 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %5 = "tosa.conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f16, local_bound = true}> : (tensor<2x4x5x3xf16>, tensor<4x1x1x3xf16>, tensor<4xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x4x5x4xf16>
    return %5 : tensor<2x4x5x4xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x4xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x4x5x3xf16>) -> tensor<2x4x5x3xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[[[[0.3740234375, 3.177734375, 0.541015625]]], [[[2.494140625, 2.447265625, -3.228515625]]], [[[3.919921875, -3.5078125, 1.3369140625]]], [[[-2.275390625, 1.1123046875, -1.734375]]]]> : tensor<4x1x1x3xf32>}> : () -> tensor<4x1x1x3xf32>
    %3 = "tfl.pseudo_const"() <{values = dense<[-1.0, 6.0, -5.0, 2.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %4 = "tfl.conv_2d"(%1, %2, %3) <{padding = "VALID", stride_h = 1 : i64, stride_w = 1 : i64, dilation_h_factor = 1 : i64, dilation_w_factor = 1 : i64}> : (tensor<2x4x5x3xf32>, tensor<4x1x1x3xf32>, tensor<4xf32>) -> tensor<2x4x5x4xf32>
    %5 = "tfl.cast"(%4) : (tensor<2x4x5x4xf32>) -> tensor<2x4x5x4xf16>
    return %5 : tensor<2x4x5x4xf16>
  }
}
