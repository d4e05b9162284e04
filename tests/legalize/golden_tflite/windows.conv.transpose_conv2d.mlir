// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x6x8x4xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<sha256 3055cca8a1aae0ea> : tensor<4x3x4x3xf16>}> : () -> tensor<4x3x4x3xf16>
    %2 = "tosa.const"() <{values = dense<[6.0, -7.0, -7.0, -2.0]> : tensor<4xf16>}> : () -> tensor<4xf16>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %4 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %5 = "tosa.transpose_conv2d"(%arg0, %1, %2, %3, %4) <{out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = f16, local_bound = false}> : (tensor<2x4x5x3xf16>, tensor<4x3x4x3xf16>, tensor<4xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x6x8x4xf16>
    return %5 : tensor<2x6x8x4xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x6x8x4xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[2, 6, 8, 4]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<sha256 02dc773293f4e5b8> : tensor<4x3x4x3xf32>}> : () -> tensor<4x3x4x3xf32>
    %3 = "tfl.cast"(%arg0) : (tensor<2x4x5x3xf16>) -> tensor<2x4x5x3xf32>
    %4 = "tfl.pseudo_const"() <{values = dense<[6.0, -7.0, -7.0, -2.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %5 = "tfl.transpose_conv"(%1, %2, %3, %4) <{stride_h = 1 : i64, stride_w = 1 : i64, padding = "VALID"}> : (tensor<4xi32>, tensor<4x3x4x3xf32>, tensor<2x4x5x3xf32>, tensor<4xf32>) -> tensor<2x6x8x4xf32>
    %6 = "tfl.cast"(%5) : (tensor<2x6x8x4xf32>) -> tensor<2x6x8x4xf16>
    return %6 : tensor<2x6x8x4xf16>
  }
}
