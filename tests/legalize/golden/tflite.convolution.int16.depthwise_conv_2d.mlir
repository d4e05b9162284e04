// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x4x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[[[87, 16, 85, 57], [42, 37, 28, 32]], [[65, 68, 35, 97], [79, 96, 70, 67]]]]> : tensor<1x2x2x4xi8>}> : () -> tensor<1x2x2x4x!quant.uniform<i8:f32, 0.019999999552965164:0>>
    %2 = "tfl.pseudo_const"() <{values = dense<[1, 1, 1, 1]> : tensor<4xi64>}> : () -> tensor<4x!quant.uniform<i64:f32, 0.0010000000474974513:0>>
    %3 = "tfl.depthwise_conv_2d"(%arg0, %1, %2) <{padding = "SAME", stride_w = 1 : i64, stride_h = 1 : i64, depth_multiplier = 2 : i64, fused_activation_function = "NONE", dilation_w_factor = 1 : i64, dilation_h_factor = 1 : i64}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>, tensor<1x2x2x4x!quant.uniform<i8:f32, 0.019999999552965164:0>>, tensor<4x!quant.uniform<i64:f32, 0.0010000000474974513:0>>) -> tensor<1x4x4x4x!quant.uniform<i16:f32, 0.05000000074505806:0>>
    return %3 : tensor<1x4x4x4x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x4xi16> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const"() <{values = dense<[[[[87, 16], [85, 57]], [[42, 37], [28, 32]]], [[[65, 68], [35, 97]], [[79, 96], [70, 67]]]]> : tensor<2x2x2x2xi8>}> : () -> tensor<2x2x2x2xi8>
    %2 = "tosa.const"() <{values = dense<[1, 1, 1, 1]> : tensor<4xi48>}> : () -> tensor<4xi48>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.depthwise_conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i48, local_bound = false}> : (tensor<1x4x4x2xi16>, tensor<2x2x2x2xi8>, tensor<4xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x4xi48>
    %6 = "tosa.const"() <{values = dense<[20972]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %7 = "tosa.const"() <{values = dense<[20]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi48>}> : () -> tensor<1xi48>
    %9 = "tosa.rescale"(%5, %6, %7, %8, %3) <{scale32 = false, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x4xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x4x4x4xi16>
    return %9 : tensor<1x4x4x4xi16>
  }
}
