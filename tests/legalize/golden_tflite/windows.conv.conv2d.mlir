// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x4xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<"0xFC355B425438FD40E54075C2D74304C3593D8DC0733CF0BE"> : tensor<4x1x1x3xf16>}> : () -> tensor<4x1x1x3xf16> loc("")
    %2 = "tosa.const"() <{values = dense<"0x00BC004600C50040"> : tensor<4xf16>}> : () -> tensor<4xf16> loc("")
    %3 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xf16>}> : () -> tensor<1xf16> loc("")
    %4 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xf16>}> : () -> tensor<1xf16> loc("")
    %5 = "tosa.conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f16, local_bound = true}> : (tensor<2x4x5x3xf16>, tensor<4x1x1x3xf16>, tensor<4xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x4x5x4xf16> loc("")
    return %5 : tensor<2x4x5x4xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x4xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x4x5x3xf16>) -> tensor<2x4x5x3xf32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x0080BF3E00604B4000800A3F00A01F4000A01C4000A04EC000E07A40008060C00020AB3F00A011C000608E3F0000DEBF"> : tensor<4x1x1x3xf32>}> : () -> tensor<4x1x1x3xf32> loc("")
    %3 = "tfl.pseudo_const"() <{values = dense<"0x000080BF0000C0400000A0C000000040"> : tensor<4xf32>}> : () -> tensor<4xf32> loc("")
    %4 = "tfl.conv_2d"(%1, %2, %3) <{padding = "VALID", stride_h = 1 : i64, stride_w = 1 : i64, dilation_h_factor = 1 : i64, dilation_w_factor = 1 : i64}> : (tensor<2x4x5x3xf32>, tensor<4x1x1x3xf32>, tensor<4xf32>) -> tensor<2x4x5x4xf32> loc("")
    %5 = "tfl.cast"(%4) : (tensor<2x4x5x4xf32>) -> tensor<2x4x5x4xf16> loc("")
    return %5 : tensor<2x4x5x4xf16>
  }
}
