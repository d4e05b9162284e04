// before
module {
  func.func @"main"(%arg0: tensor<2x8x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<2x3x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<sha256 b0608cc32d4c73fb> : tensor<3x8xi8>}> : () -> tensor<3x8x!quant.uniform<i8:f32, 0.019999999552965164:0>>
    %2 = "tfl.pseudo_const"() <{values = dense<[1, 1, 1]> : tensor<3xi32>}> : () -> tensor<3x!quant.uniform<i32:f32, 0.0010000000474974513:0>>
    %3 = "tfl.fully_connected"(%arg0, %1, %2) <{fused_activation_function = "NONE", weights_format = "DEFAULT", keep_num_dims = false, asymmetric_quantize_inputs = false, quantized_bias_type = "FLOAT32", quant_spec = array<i64: >}> : (tensor<2x8x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<3x8x!quant.uniform<i8:f32, 0.019999999552965164:0>>, tensor<3x!quant.uniform<i32:f32, 0.0010000000474974513:0>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.10000000149011612:7>>
    return %3 : tensor<2x3x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x8xi8> {tosa.tensor_name = "t0"}) -> (tensor<2x3xi8> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 1, 1, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x8xi8>, !tosa.shape<4>) -> tensor<2x1x1x8xi8>
    %3 = "tosa.const"() <{values = dense<sha256 b0608cc32d4c73fb> : tensor<3x1x1x8xi8>}> : () -> tensor<3x1x1x8xi8>
    %4 = "tosa.const"() <{values = dense<[1, 1, 1]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %5 = "tosa.const"() <{values = dense<[-3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = "tosa.conv2d"(%2, %3, %4, %5, %6) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<2x1x1x8xi8>, tensor<3x1x1x8xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x1x1x3xi32>
    %8 = "tosa.cast"(%7) : (tensor<2x1x1x3xi32>) -> tensor<2x1x1x3xf32>
    %9 = "tosa.const"() <{values = dense<[[[[0.010000000707805157]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %10 = "tosa.mul"(%8, %9, %6) : (tensor<2x1x1x3xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x3xf32>
    %11 = "tosa.cast"(%10) : (tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xi32>
    %12 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %13 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %14 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %15 = "tosa.const"() <{values = dense<[7]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %16 = "tosa.rescale"(%11, %12, %13, %14, %15) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x1x1x3xi8>
    %17 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %18 = "tosa.reshape"(%16, %17) : (tensor<2x1x1x3xi8>, !tosa.shape<2>) -> tensor<2x3xi8>
    return %18 : tensor<2x3xi8>
  }
}
