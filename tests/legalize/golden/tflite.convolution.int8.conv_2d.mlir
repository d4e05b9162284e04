// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x3x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[[[0, 1]]], [[[2, 3]]], [[[4, 5]]]]> : tensor<3x1x1x2xi8>}> : () -> tensor<3x1x1x2x!quant.uniform<i8:f32:0, {0.009999999776482582:0, 0.019999999552965164:0, 0.029999999329447746:0}>>
    %2 = "tfl.pseudo_const"() <{values = dense<[7, 0, -7]> : tensor<3xi32>}> : () -> tensor<3x!quant.uniform<i32:f32:0, {0.0005000000237487257:0, 0.0010000000474974513:0, 0.001500000013038516:0}>>
    %3 = "tfl.conv_2d"(%arg0, %1, %2) <{padding = "SAME", stride_w = 1 : i64, stride_h = 1 : i64, fused_activation_function = "RELU6", dilation_w_factor = 1 : i64, dilation_h_factor = 1 : i64, quantized_bias_type = "FLOAT32"}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<3x1x1x2x!quant.uniform<i8:f32:0, {0.009999999776482582:0, 0.019999999552965164:0, 0.029999999329447746:0}>>, tensor<3x!quant.uniform<i32:f32:0, {0.0005000000237487257:0, 0.0010000000474974513:0, 0.001500000013038516:0}>>) -> tensor<1x4x4x3x!quant.uniform<i8:f32, 0.10000000149011612:7>>
    return %3 : tensor<1x4x4x3x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x3xi8> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const"() <{values = dense<[[[[0, 1]]], [[[2, 3]]], [[[4, 5]]]]> : tensor<3x1x1x2xi8>}> : () -> tensor<3x1x1x2xi8>
    %2 = "tosa.const"() <{values = dense<[7, 0, -7]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %3 = "tosa.const"() <{values = dense<[-3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x4x4x2xi8>, tensor<3x1x1x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x3xi32>
    %6 = "tosa.const"() <{values = dense<[1374389504, 1374389504, 2061584256]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %7 = "tosa.const"() <{values = dense<[38, 37, 37]> : tensor<3xi8>}> : () -> tensor<3xi8>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "tosa.const"() <{values = dense<[7]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.rescale"(%5, %6, %7, %8, %9) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = true, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x3xi32>, tensor<3xi32>, tensor<3xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x3xi8>
    %11 = "tosa.clamp"(%10) <{min_val = 7 : i8, max_val = 67 : i8, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x3xi8>) -> tensor<1x4x4x3xi8>
    return %11 : tensor<1x4x4x3xi8>
  }
}
