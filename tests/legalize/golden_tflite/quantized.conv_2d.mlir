// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x3xi8> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const"() <{values = dense<sha256 6fa5909397bce909> : tensor<3x2x2x2xi8>}> : () -> tensor<3x2x2x2xi8>
    %2 = "tosa.const"() <{values = dense<[1, 1, 1]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.conv2d"(%arg0, %1, %2, %3, %3) <{pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x3xi32>
    %5 = "tosa.const"() <{values = dense<[1374389504]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.const"() <{values = dense<[36]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %8 = "tosa.rescale"(%4, %5, %6, %7, %3) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x3xi8>
    return %8 : tensor<1x4x4x3xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x3x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<sha256 6fa5909397bce909> : tensor<3x2x2x2xi8>}> : () -> tensor<3x2x2x2x!quant.uniform<i8:f32:0, 0.019999999552965164:0>>
    %2 = "tfl.pseudo_const"() <{values = dense<[1, 1, 1]> : tensor<3xi32>}> : () -> tensor<3x!quant.uniform<i32:f32:0, 0.0010000000474974513:0>>
    %3 = "tfl.conv_2d"(%arg0, %1, %2) <{padding = "SAME", stride_h = 1 : i64, stride_w = 1 : i64, dilation_h_factor = 1 : i64, dilation_w_factor = 1 : i64, fused_activation_function = "NONE"}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>>, tensor<3x2x2x2x!quant.uniform<i8:f32:0, 0.019999999552965164:0>>, tensor<3x!quant.uniform<i32:f32:0, 0.0010000000474974513:0>>) -> tensor<1x4x4x3x!quant.uniform<i8:f32, 0.05000000074505806:0>>
    return %3 : tensor<1x4x4x3x!quant.uniform<i8:f32, 0.05000000074505806:0>>
  }
}
