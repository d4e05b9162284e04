// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x6x3xi8> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6x4xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[[[[[-123, 112, -93]]]], [[[[-20, -14, 2]]]], [[[[96, 8, -83]]]], [[[[124, -82, -86]]]]]> : tensor<4x1x1x1x3xi8>}> : () -> tensor<4x1x1x1x3xi8>
    %2 = "tosa.const"() <{values = dense<[0, -5, 0, 7]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %3 = "tosa.const"() <{values = dense<[3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[-5]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.conv3d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>, acc_type = i32, local_bound = true}> : (tensor<2x4x5x6x3xi8>, tensor<4x1x1x1x3xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x4x5x6x4xi32>
    return %5 : tensor<2x4x5x6x4xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x6x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6x4xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x4x5x6x3x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x5x6x3xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<3.0> : tensor<f32>}> : () -> tensor<f32>
    %3 = "tfl.sub"(%1, %2) : (tensor<2x4x5x6x3xf32>, tensor<f32>) -> tensor<2x4x5x6x3xf32>
    %4 = "tfl.pseudo_const"() <{values = dense<[[[[[-118.0, -15.0, 101.0, 129.0], [117.0, -9.0, 13.0, -77.0], [-88.0, 7.0, -78.0, -81.0]]]]]> : tensor<1x1x1x3x4xf32>}> : () -> tensor<1x1x1x3x4xf32>
    %5 = "tfl.pseudo_const"() <{values = dense<[0.0, 0.0, 0.0, 0.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %6 = "tfl.conv_3d"(%3, %4, %5) <{padding = "VALID", stride_d = 1 : i64, stride_h = 1 : i64, stride_w = 1 : i64, dilation_d_factor = 1 : i64, dilation_h_factor = 1 : i64, dilation_w_factor = 1 : i64}> : (tensor<2x4x5x6x3xf32>, tensor<1x1x1x3x4xf32>, tensor<4xf32>) -> tensor<2x4x5x6x4xf32>
    %7 = "tfl.cast"(%6) : (tensor<2x4x5x6x4xf32>) -> tensor<2x4x5x6x4xi32>
    %8 = "tfl.pseudo_const"() <{values = dense<[240, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %9 = "tfl.reshape"(%7, %8) <{new_shape = array<i64: 240, 4>}> : (tensor<2x4x5x6x4xi32>, tensor<2xi32>) -> tensor<240x4xi32>
    %10 = "tfl.pseudo_const"() <{values = dense<[[0, -5, 0, 7]]> : tensor<1x4xi32>}> : () -> tensor<1x4xi32>
    %11 = "tfl.add"(%9, %10) : (tensor<240x4xi32>, tensor<1x4xi32>) -> tensor<240x4xi32>
    %12 = "tfl.pseudo_const"() <{values = dense<[2, 4, 5, 6, 4]> : tensor<5xi32>}> : () -> tensor<5xi32>
    %13 = "tfl.reshape"(%11, %12) <{new_shape = array<i64: 2, 4, 5, 6, 4>}> : (tensor<240x4xi32>, tensor<5xi32>) -> tensor<2x4x5x6x4xi32>
    return %13 : tensor<2x4x5x6x4xi32>
  }
}
