// before
module {
  func.func @"main"(%arg0: tensor<2x8x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<2x3x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<sha256 b0608cc32d4c73fb> : tensor<3x8xi8>}> : () -> tensor<3x8x!quant.uniform<i8:f32, 0.019999999552965164:0>>
    %2 = "tfl.pseudo_const"() <{values = dense<[1, 1, 1]> : tensor<3xi64>}> : () -> tensor<3x!quant.uniform<i64:f32, 0.0010000000474974513:0>>
    %3 = "tfl.fully_connected"(%arg0, %1, %2) <{fused_activation_function = "NONE", weights_format = "DEFAULT", keep_num_dims = false, asymmetric_quantize_inputs = false, quantized_bias_type = "FLOAT32", quant_spec = array<i64: >}> : (tensor<2x8x!quant.uniform<i16:f32, 0.05000000074505806:0>>, tensor<3x8x!quant.uniform<i8:f32, 0.019999999552965164:0>>, tensor<3x!quant.uniform<i64:f32, 0.0010000000474974513:0>>) -> tensor<2x3x!quant.uniform<i16:f32, 0.05000000074505806:0>>
    return %3 : tensor<2x3x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x8xi16> {tosa.tensor_name = "t0"}) -> (tensor<2x3xi16> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 1, 1, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x8xi16>, !tosa.shape<4>) -> tensor<2x1x1x8xi16>
    %3 = "tosa.const"() <{values = dense<sha256 b0608cc32d4c73fb> : tensor<3x1x1x8xi8>}> : () -> tensor<3x1x1x8xi8>
    %4 = "tosa.const"() <{values = dense<[1, 1, 1]> : tensor<3xi48>}> : () -> tensor<3xi48>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %6 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = "tosa.conv2d"(%2, %3, %4, %5, %6) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i48, local_bound = false}> : (tensor<2x1x1x8xi16>, tensor<3x1x1x8xi8>, tensor<3xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<2x1x1x3xi48>
    %8 = "tosa.const"() <{values = dense<[16384]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %9 = "tosa.const"() <{values = dense<[14]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.const"() <{values = dense<[0]> : tensor<1xi48>}> : () -> tensor<1xi48>
    %11 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %12 = "tosa.rescale"(%7, %8, %9, %10, %11) <{scale32 = false, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x1x1x3xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi32>) -> tensor<2x1x1x3xi32>
    %13 = "tosa.const"() <{values = dense<[[[[-1638501]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %14 = "tosa.maximum"(%12, %13) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<2x1x1x3xi32>
    %15 = "tosa.const"() <{values = dense<[[[[1638501]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %16 = "tosa.minimum"(%14, %15) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<2x1x1x3xi32>
    %17 = "tosa.const"() <{values = dense<[[[[6]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %18 = "tosa.arithmetic_right_shift"(%16, %17) <{round = false}> : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<2x1x1x3xi32>
    %19 = "tosa.const"() <{values = dense<[[[[20971]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %20 = "tosa.mul"(%18, %19, %6) : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<2x1x1x3xi32>
    %21 = "tosa.const"() <{values = dense<[[[[8512]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %22 = "tosa.mul"(%18, %21, %6) : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<2x1x1x3xi32>
    %23 = "tosa.const"() <{values = dense<[[[[63]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %24 = "tosa.bitwise_and"(%16, %23) : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<2x1x1x3xi32>
    %25 = "tosa.const"() <{values = dense<[[[[5368709]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %26 = "tosa.mul"(%24, %25, %6) : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<2x1x1x3xi32>
    %27 = "tosa.add"(%22, %26) : (tensor<2x1x1x3xi32>, tensor<2x1x1x3xi32>) -> tensor<2x1x1x3xi32>
    %28 = "tosa.const"() <{values = dense<[[[[14]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %29 = "tosa.arithmetic_right_shift"(%27, %28) <{round = false}> : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<2x1x1x3xi32>
    %30 = "tosa.add"(%20, %29) : (tensor<2x1x1x3xi32>, tensor<2x1x1x3xi32>) -> tensor<2x1x1x3xi32>
    %31 = "tosa.arithmetic_right_shift"(%30, %28) <{round = true}> : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<2x1x1x3xi32>
    %32 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %33 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %34 = "tosa.rescale"(%31, %32, %33, %11, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<2x1x1x3xi16>
    %35 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %36 = "tosa.reshape"(%34, %35) : (tensor<2x1x1x3xi16>, !tosa.shape<2>) -> tensor<2x3xi16>
    return %36 : tensor<2x3xi16>
  }
}
