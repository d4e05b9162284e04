// before
module {
  func.func @"main"(%arg0: tensor<2x5x8x3xi8> {tosa.tensor_name = "in0"}) -> (tensor<2x5x5x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 2, 3>, stride = array<i64: 1, 2>, pad = array<i64: 1, 0, 2, 1>, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x5x8x3xi8>) -> tensor<2x5x5x3xi8>
    return %1 : tensor<2x5x5x3xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x5x8x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<2x5x5x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[0, 0], [1, 0], [2, 1], [0, 0]]> : tensor<4x2xi32>}> : () -> tensor<4x2xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<[-128]> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 1.0:0>>
    %3 = "tfl.padv2"(%arg0, %1, %2) : (tensor<2x5x8x3x!quant.uniform<i8:f32, 1.0:0>>, tensor<4x2xi32>, tensor<1x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x6x11x3x!quant.uniform<i8:f32, 1.0:0>>
    %4 = "tfl.max_pool_2d"(%3) <{padding = "VALID", filter_height = 2 : i64, filter_width = 3 : i64, stride_h = 1 : i64, stride_w = 2 : i64}> : (tensor<2x6x11x3x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x5x5x3x!quant.uniform<i8:f32, 1.0:0>>
    return %4 : tensor<2x5x5x3x!quant.uniform<i8:f32, 1.0:0>>
  }
}
