// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x4x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[[[87, 16, 85, 57], [42, 37, 28, 32]], [[65, 68, 35, 97], [79, 96, 70, 67]]]]> : tensor<1x2x2x4xi8>}> : () -> tensor<1x2x2x4x!quant.uniform<i8:f32, 0.019999999552965164:0>>
    %2 = "tfl.pseudo_const"() <{values = dense<[1, 1, 1, 1]> : tensor<4xi32>}> : () -> tensor<4x!quant.uniform<i32:f32, 0.0010000000474974513:0>>
    %3 = "tfl.depthwise_conv_2d"(%arg0, %1, %2) <{padding = "SAME", stride_w = 1 : i64, stride_h = 1 : i64, depth_multiplier = 2 : i64, fused_activation_function = "NONE", dilation_w_factor = 1 : i64, dilation_h_factor = 1 : i64}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<1x2x2x4x!quant.uniform<i8:f32, 0.019999999552965164:0>>, tensor<4x!quant.uniform<i32:f32, 0.0010000000474974513:0>>) -> tensor<1x4x4x4x!quant.uniform<i8:f32, 0.10000000149011612:7>>
    return %3 : tensor<1x4x4x4x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x4xi8> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const"() <{values = dense<[[[[87, 16], [85, 57]], [[42, 37], [28, 32]]], [[[65, 68], [35, 97]], [[79, 96], [70, 67]]]]> : tensor<2x2x2x2xi8>}> : () -> tensor<2x2x2x2xi8>
    %2 = "tosa.const"() <{values = dense<[1, 1, 1, 1]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %3 = "tosa.const"() <{values = dense<[-3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.depthwise_conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x4x4x2xi8>, tensor<2x2x2x2xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x4xi32>
    %6 = "tosa.const"() <{values = dense<[1374389504]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = "tosa.const"() <{values = dense<[37]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "tosa.const"() <{values = dense<[7]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.rescale"(%5, %6, %7, %8, %9) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x4xi8>
    return %10 : tensor<1x4x4x4xi8>
  }
}
