// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x6x8x4xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<4x3x4x3xf16>}> : () -> tensor<4x3x4x3xf16> loc("")
    %2 = "tosa.const"() <{values = dense<"0x004600C700C700C0"> : tensor<4xf16>}> : () -> tensor<4xf16> loc("")
    %3 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xf16>}> : () -> tensor<1xf16> loc("")
    %4 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xf16>}> : () -> tensor<1xf16> loc("")
    %5 = "tosa.transpose_conv2d"(%arg0, %1, %2, %3, %4) <{out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = f16, local_bound = false}> : (tensor<2x4x5x3xf16>, tensor<4x3x4x3xf16>, tensor<4xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x6x8x4xf16> loc("")
    return %5 : tensor<2x6x8x4xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x6x8x4xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x4x5x3xf16>) -> tensor<2x4x5x3xf32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x02000000060000000800000004000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %3 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<4x3x4x3xf32>}> : () -> tensor<4x3x4x3xf32> loc("")
    %4 = "tfl.pseudo_const"() <{values = dense<"0x0000C0400000E0C00000E0C0000000C0"> : tensor<4xf32>}> : () -> tensor<4xf32> loc("")
    %5 = "tfl.transpose_conv"(%2, %3, %1, %4) <{stride_h = 1 : i64, stride_w = 1 : i64, padding = "VALID"}> : (tensor<4xi32>, tensor<4x3x4x3xf32>, tensor<2x4x5x3xf32>, tensor<4xf32>) -> tensor<2x6x8x4xf32> loc("")
    %6 = "tfl.cast"(%5) : (tensor<2x6x8x4xf32>) -> tensor<2x6x8x4xf16> loc("")
    return %6 : tensor<2x6x8x4xf16>
  }
}
