// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xi8> {tosa.tensor_name = "in0"}) -> (tensor<2x6x8x4xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<sha256 39b181fb16b588e5> : tensor<4x3x4x3xi8>}> : () -> tensor<4x3x4x3xi8>
    %2 = "tosa.const"() <{values = dense<[-1, -9, -2, -4]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %3 = "tosa.const"() <{values = dense<[3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[-5]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.transpose_conv2d"(%arg0, %1, %2, %3, %4) <{out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<2x4x5x3xi8>, tensor<4x3x4x3xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x6x8x4xi32>
    return %5 : tensor<2x6x8x4xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<2x6x8x4xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[2, 6, 8, 4]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<sha256 9e4c279db8ca0e7a> : tensor<4x3x4x3xf32>}> : () -> tensor<4x3x4x3xf32>
    %3 = "tfl.cast"(%arg0) : (tensor<2x4x5x3x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x5x3xf32>
    %4 = "tfl.pseudo_const"() <{values = dense<3.0> : tensor<f32>}> : () -> tensor<f32>
    %5 = "tfl.sub"(%3, %4) : (tensor<2x4x5x3xf32>, tensor<f32>) -> tensor<2x4x5x3xf32>
    %6 = "tfl.transpose_conv"(%1, %2, %5) <{stride_h = 1 : i64, stride_w = 1 : i64, padding = "VALID"}> : (tensor<4xi32>, tensor<4x3x4x3xf32>, tensor<2x4x5x3xf32>) -> tensor<2x6x8x4xf32>
    %7 = "tfl.cast"(%6) : (tensor<2x6x8x4xf32>) -> tensor<2x6x8x4xi32>
    %8 = "tfl.pseudo_const"() <{values = dense<[-1, -9, -2, -4]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %9 = "tfl.add"(%7, %8) : (tensor<2x6x8x4xi32>, tensor<4xi32>) -> tensor<2x6x8x4xi32>
    return %9 : tensor<2x6x8x4xi32>
  }
}
