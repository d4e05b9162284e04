// before
module {
  func.func @"main"(%arg0: tensor<2x5x8x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x5x5x3xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %2 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %3 = "tosa.avg_pool2d"(%arg0, %1, %2) <{kernel = array<i64: 2, 3>, stride = array<i64: 1, 2>, pad = array<i64: 1, 0, 2, 1>, acc_type = f16}> : (tensor<2x5x8x3xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x5x5x3xf16>
    return %3 : tensor<2x5x5x3xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x5x8x3xf16> {tosa.tensor_name = "in0"}) -> (tensor<2x5x5x3xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x5x8x3xf16>) -> tensor<2x5x8x3xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[[0, 0], [1, 0], [2, 1], [0, 0]]> : tensor<4x2xi32>}> : () -> tensor<4x2xi32>
    %3 = "tfl.pseudo_const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tfl.padv2"(%1, %2, %3) : (tensor<2x5x8x3xf32>, tensor<4x2xi32>, tensor<1xf32>) -> tensor<2x6x11x3xf32>
    %5 = "tfl.average_pool_2d"(%4) <{padding = "VALID", filter_height = 2 : i64, filter_width = 3 : i64, stride_h = 1 : i64, stride_w = 2 : i64}> : (tensor<2x6x11x3xf32>) -> tensor<2x5x5x3xf32>
    %6 = "tfl.pseudo_const"() <{values = dense<sha256 cbefe54cfffd5c64> : tensor<1x5x5x1xf32>}> : () -> tensor<1x5x5x1xf32>
    %7 = "tfl.div"(%5, %6) : (tensor<2x5x5x3xf32>, tensor<1x5x5x1xf32>) -> tensor<2x5x5x3xf32>
    %8 = "tfl.cast"(%7) : (tensor<2x5x5x3xf32>) -> tensor<2x5x5x3xf16>
    return %8 : tensor<2x5x5x3xf16>
  }
}
