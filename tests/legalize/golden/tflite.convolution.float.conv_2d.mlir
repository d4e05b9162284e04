// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<sha256 9e4b4187783c9708> : tensor<3x2x2x2xf32>}> : () -> tensor<3x2x2x2xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %3 = "tfl.conv_2d"(%arg0, %1, %2) <{padding = "SAME", stride_w = 1 : i64, stride_h = 1 : i64, fused_activation_function = "NONE", dilation_w_factor = 1 : i64, dilation_h_factor = 1 : i64, quantized_bias_type = "FLOAT32"}> : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
    return %3 : tensor<1x4x4x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const"() <{values = dense<sha256 9e4b4187783c9708> : tensor<3x2x2x2xf32>}> : () -> tensor<3x2x2x2xf32>
    %2 = "tosa.const"() <{values = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tosa.conv2d"(%arg0, %1, %2, %3, %3) <{pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
    return %4 : tensor<1x4x4x3xf32>
  }
}
