// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xi8> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<"0x993810191645"> : tensor<1x1x3x2xi8>}> : () -> tensor<1x1x3x2xi8> loc("")
    %2 = "tosa.const"() <{values = dense<"0xFAFFFFFF03000000F9FFFFFFF7FFFFFFFFFFFFFFFFFFFFFF"> : tensor<6xi32>}> : () -> tensor<6xi32> loc("")
    %3 = "tosa.const"() <{values = dense<"0x03"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %4 = "tosa.const"() <{values = dense<"0xFB"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %5 = "tosa.depthwise_conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = true}> : (tensor<2x4x5x3xi8>, tensor<1x1x3x2xi8>, tensor<6xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x4x5x6xi32> loc("")
    return %5 : tensor<2x4x5x6xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x4x5x3x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x5x3xf32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x00004040"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %3 = "tfl.sub"(%1, %2) : (tensor<2x4x5x3xf32>, tensor<f32>) -> tensor<2x4x5x3xf32> loc("")
    %4 = "tfl.pseudo_const"() <{values = dense<"0x0000C4C2000074420000A8410000F0410000D84100009442"> : tensor<1x1x1x6xf32>}> : () -> tensor<1x1x1x6xf32> loc("")
    %5 = "tfl.pseudo_const"() <{values = dense<"0x000000000000000000000000000000000000000000000000"> : tensor<6xf32>}> : () -> tensor<6xf32> loc("")
    %6 = "tfl.depthwise_conv_2d"(%3, %4, %5) <{padding = "VALID", stride_h = 1 : i64, stride_w = 1 : i64, dilation_h_factor = 1 : i64, dilation_w_factor = 1 : i64, depth_multiplier = 2 : i64}> : (tensor<2x4x5x3xf32>, tensor<1x1x1x6xf32>, tensor<6xf32>) -> tensor<2x4x5x6xf32> loc("")
    %7 = "tfl.cast"(%6) : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xi32> loc("")
    %8 = "tfl.pseudo_const"() <{values = dense<"0xFAFFFFFF03000000F9FFFFFFF7FFFFFFFFFFFFFFFFFFFFFF"> : tensor<6xi32>}> : () -> tensor<6xi32> loc("")
    %9 = "tfl.add"(%7, %8) : (tensor<2x4x5x6xi32>, tensor<6xi32>) -> tensor<2x4x5x6xi32> loc("")
    return %9 : tensor<2x4x5x6xi32>
  }
}
