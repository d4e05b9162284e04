// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x4xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[[[0.9091452360153198, 0.751396656036377, -0.025538381189107895, 0.65250563621521], [-0.6509536504745483, -1.829492449760437, 1.6785105466842651, 0.47661399841308594]], [[-2.066348075866699, -1.0589356422424316, -0.6195720434188843, 0.341558575630188], [1.326922059059143, 0.30765286087989807, -0.4329802393913269, 0.4673631489276886]]]]> : tensor<1x2x2x4xf32>}> : () -> tensor<1x2x2x4xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %3 = "tfl.depthwise_conv_2d"(%arg0, %1, %2) <{padding = "SAME", stride_w = 1 : i64, stride_h = 1 : i64, depth_multiplier = 2 : i64, fused_activation_function = "NONE", dilation_w_factor = 1 : i64, dilation_h_factor = 1 : i64}> : (tensor<1x4x4x2xf32>, tensor<1x2x2x4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
    return %3 : tensor<1x4x4x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x4xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const"() <{values = dense<[[[[0.9091452360153198, 0.751396656036377], [-0.025538381189107895, 0.65250563621521]], [[-0.6509536504745483, -1.829492449760437], [1.6785105466842651, 0.47661399841308594]]], [[[-2.066348075866699, -1.0589356422424316], [-0.6195720434188843, 0.341558575630188]], [[1.326922059059143, 0.30765286087989807], [-0.4329802393913269, 0.4673631489276886]]]]> : tensor<2x2x2x2xf32>}> : () -> tensor<2x2x2x2xf32>
    %2 = "tosa.const"() <{values = dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tosa.depthwise_conv2d"(%arg0, %1, %2, %3, %3) <{pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x4x4x2xf32>, tensor<2x2x2x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
    return %4 : tensor<1x4x4x4xf32>
  }
}
