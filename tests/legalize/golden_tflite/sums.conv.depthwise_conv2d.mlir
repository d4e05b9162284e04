// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xi8> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[[[[-103, 56], [16, 25], [22, 69]]]]> : tensor<1x1x3x2xi8>}> : () -> tensor<1x1x3x2xi8>
    %2 = "tosa.const"() <{values = dense<[-6, 3, -7, -9, -1, -1]> : tensor<6xi32>}> : () -> tensor<6xi32>
    %3 = "tosa.const"() <{values = dense<[3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[-5]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.depthwise_conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = true}> : (tensor<2x4x5x3xi8>, tensor<1x1x3x2xi8>, tensor<6xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x4x5x6xi32>
    return %5 : tensor<2x4x5x6xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x4x5x3x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x5x3xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<3.0> : tensor<f32>}> : () -> tensor<f32>
    %3 = "tfl.sub"(%1, %2) : (tensor<2x4x5x3xf32>, tensor<f32>) -> tensor<2x4x5x3xf32>
    %4 = "tfl.pseudo_const"() <{values = dense<[[[[-98.0, 61.0, 21.0, 30.0, 27.0, 74.0]]]]> : tensor<1x1x1x6xf32>}> : () -> tensor<1x1x1x6xf32>
    %5 = "tfl.pseudo_const"() <{values = dense<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %6 = "tfl.depthwise_conv_2d"(%3, %4, %5) <{padding = "VALID", stride_h = 1 : i64, stride_w = 1 : i64, dilation_h_factor = 1 : i64, dilation_w_factor = 1 : i64, depth_multiplier = 2 : i64}> : (tensor<2x4x5x3xf32>, tensor<1x1x1x6xf32>, tensor<6xf32>) -> tensor<2x4x5x6xf32>
    %7 = "tfl.cast"(%6) : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xi32>
    %8 = "tfl.pseudo_const"() <{values = dense<[-6, 3, -7, -9, -1, -1]> : tensor<6xi32>}> : () -> tensor<6xi32>
    %9 = "tfl.add"(%7, %8) : (tensor<2x4x5x6xi32>, tensor<6xi32>) -> tensor<2x4x5x6xi32>
    return %9 : tensor<2x4x5x6xi32>
  }
}
