// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.029999999329447746:5>> {tosa.tensor_name = "t2"}) -> (tensor<1x8x8x3x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t4"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 8, 8, 3]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<sha256 6fa5909397bce909> : tensor<3x2x2x2xi8>}> : () -> tensor<3x2x2x2x!quant.uniform<i8:f32, 0.019999999552965164:0>>
    %3 = "tfl.pseudo_const"() <{values = dense<[1, 1, 1]> : tensor<3xi32>}> : () -> tensor<3x!quant.uniform<i32:f32, 0.0010000000474974513:0>>
    %4 = "tfl.transpose_conv"(%1, %2, %arg0, %3) <{padding = "SAME", stride_w = 2 : i64, stride_h = 2 : i64, fused_activation_function = "NONE", quantized_bias_type = "FLOAT32"}> : (tensor<4xi32>, tensor<3x2x2x2x!quant.uniform<i8:f32, 0.019999999552965164:0>>, tensor<1x4x4x2x!quant.uniform<i8:f32, 0.029999999329447746:5>>, tensor<3x!quant.uniform<i32:f32, 0.0010000000474974513:0>>) -> tensor<1x8x8x3x!quant.uniform<i8:f32, 0.10000000149011612:7>>
    return %4 : tensor<1x8x8x3x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t2"}) -> (tensor<1x8x8x3xi8> {tosa.tensor_name = "t4"}) {
    %1 = "tosa.const"() <{values = dense<sha256 6fa5909397bce909> : tensor<3x2x2x2xi8>}> : () -> tensor<3x2x2x2xi8>
    %2 = "tosa.const"() <{values = dense<[1, 1, 1]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %3 = "tosa.const"() <{values = dense<[5]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.transpose_conv2d"(%arg0, %1, %2, %3, %4) <{out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, acc_type = i32, local_bound = false}> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x3xi32>
    %6 = "tosa.const"() <{values = dense<[1649267343]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = "tosa.const"() <{values = dense<[38]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "tosa.const"() <{values = dense<[7]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.rescale"(%5, %6, %7, %8, %9) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x8x8x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x3xi8>
    return %10 : tensor<1x8x8x3xi8>
  }
}
