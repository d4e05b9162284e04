// before
module {
  func.func @"main"(%arg0: tensor<2x8xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<sha256 8f060a2221717d6c> : tensor<3x8xf32>}> : () -> tensor<3x8xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %3 = "tfl.fully_connected"(%arg0, %1, %2) <{fused_activation_function = "NONE", weights_format = "DEFAULT", keep_num_dims = false, asymmetric_quantize_inputs = false, quantized_bias_type = "FLOAT32", quant_spec = array<i64: >}> : (tensor<2x8xf32>, tensor<3x8xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    return %3 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x8xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 1, 1, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x8xf32>, !tosa.shape<4>) -> tensor<2x1x1x8xf32>
    %3 = "tosa.const"() <{values = dense<sha256 8f060a2221717d6c> : tensor<3x1x1x8xf32>}> : () -> tensor<3x1x1x8xf32>
    %4 = "tosa.const"() <{values = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %5 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %6 = "tosa.conv2d"(%2, %3, %4, %5, %5) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<2x1x1x8xf32>, tensor<3x1x1x8xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x1x3xf32>
    %7 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %8 = "tosa.reshape"(%6, %7) : (tensor<2x1x1x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
    return %8 : tensor<2x3xf32>
  }
}
