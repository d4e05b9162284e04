// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x6x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6x4xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<"0x5FBC33C13F377F3DD4C2B0414435E2BCDE4061BC6B40CFA9"> : tensor<4x1x1x1x3xf16>}> : () -> tensor<4x1x1x1x3xf16> loc("")
    %2 = "tosa.const"() <{values = dense<"0x004400C500450040"> : tensor<4xf16>}> : () -> tensor<4xf16> loc("")
    %3 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xf16>}> : () -> tensor<1xf16> loc("")
    %4 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xf16>}> : () -> tensor<1xf16> loc("")
    %5 = "tosa.conv3d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>, acc_type = f16, local_bound = true}> : (tensor<2x4x5x6x3xf16>, tensor<4x1x1x1x3xf16>, tensor<4xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x4x5x6x4xf16> loc("")
    return %5 : tensor<2x4x5x6x4xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x6x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6x4xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x4x5x6x3xf16>) -> tensor<2x4x5x6x3xf32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x00E08BBF00E0AF3F0080A83E00208CBF006026C000805AC000409CBF00600D4000E0E73E0000364000C01B4000E039BD"> : tensor<1x1x1x3x4xf32>}> : () -> tensor<1x1x1x3x4xf32> loc("")
    %3 = "tfl.pseudo_const"() <{values = dense<"0x000080400000A0C00000A04000000040"> : tensor<4xf32>}> : () -> tensor<4xf32> loc("")
    %4 = "tfl.conv_3d"(%1, %2, %3) <{padding = "VALID", stride_d = 1 : i64, stride_h = 1 : i64, stride_w = 1 : i64, dilation_d_factor = 1 : i64, dilation_h_factor = 1 : i64, dilation_w_factor = 1 : i64}> : (tensor<2x4x5x6x3xf32>, tensor<1x1x1x3x4xf32>, tensor<4xf32>) -> tensor<2x4x5x6x4xf32> loc("")
    %5 = "tfl.cast"(%4) : (tensor<2x4x5x6x4xf32>) -> tensor<2x4x5x6x4xf16> loc("")
    return %5 : tensor<2x4x5x6x4xf16>
  }
}
