// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<"0x513D894062421AC1143D86BB"> : tensor<1x1x3x2xf16>}> : () -> tensor<1x1x3x2xf16> loc("")
    %2 = "tosa.const"() <{values = dense<"0x004500C8003C00BC004600C6"> : tensor<6xf16>}> : () -> tensor<6xf16> loc("")
    %3 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xf16>}> : () -> tensor<1xf16> loc("")
    %4 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xf16>}> : () -> tensor<1xf16> loc("")
    %5 = "tosa.depthwise_conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f16, local_bound = true}> : (tensor<2x4x5x3xf16>, tensor<1x1x3x2xf16>, tensor<6xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x4x5x6xf16> loc("")
    return %5 : tensor<2x4x5x6xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x4x5x3xf16>) -> tensor<2x4x5x3xf32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x0020AA3F0020114000404C40004023C00080A23F00C070BF"> : tensor<1x1x1x6xf32>}> : () -> tensor<1x1x1x6xf32> loc("")
    %3 = "tfl.pseudo_const"() <{values = dense<"0x0000A040000000C10000803F000080BF0000C0400000C0C0"> : tensor<6xf32>}> : () -> tensor<6xf32> loc("")
    %4 = "tfl.depthwise_conv_2d"(%1, %2, %3) <{padding = "VALID", stride_h = 1 : i64, stride_w = 1 : i64, dilation_h_factor = 1 : i64, dilation_w_factor = 1 : i64, depth_multiplier = 2 : i64}> : (tensor<2x4x5x3xf32>, tensor<1x1x1x6xf32>, tensor<6xf32>) -> tensor<2x4x5x6xf32> loc("")
    %5 = "tfl.cast"(%4) : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf16> loc("")
    return %5 : tensor<2x4x5x6xf16>
  }
}
