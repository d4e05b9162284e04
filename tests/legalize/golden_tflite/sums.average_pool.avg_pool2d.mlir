// before
module {
  func.func @"main"(%arg0: tensor<2x5x8x3xi8> {tosa.tensor_name = "in0"}) -> (tensor<2x5x5x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.const"() <{values = dense<[-5]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.avg_pool2d"(%arg0, %1, %2) <{kernel = array<i64: 2, 3>, stride = array<i64: 1, 2>, pad = array<i64: 1, 0, 2, 1>, acc_type = i32}> : (tensor<2x5x8x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x5x5x3xi8>
    return %3 : tensor<2x5x5x3xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x5x8x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<2x5x5x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x5x8x3x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x5x8x3xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<3.0> : tensor<f32>}> : () -> tensor<f32>
    %3 = "tfl.sub"(%1, %2) : (tensor<2x5x8x3xf32>, tensor<f32>) -> tensor<2x5x8x3xf32>
    %4 = "tfl.pseudo_const"() <{values = dense<[[0, 0], [1, 0], [2, 1], [0, 0]]> : tensor<4x2xi32>}> : () -> tensor<4x2xi32>
    %5 = "tfl.pseudo_const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %6 = "tfl.padv2"(%3, %4, %5) : (tensor<2x5x8x3xf32>, tensor<4x2xi32>, tensor<1xf32>) -> tensor<2x6x11x3xf32>
    %7 = "tfl.pseudo_const"() <{values = dense<sha256 cb20f90237d216af> : tensor<1x2x3x3xf32>}> : () -> tensor<1x2x3x3xf32>
    %8 = "tfl.pseudo_const"() <{values = dense<[0.0, 0.0, 0.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %9 = "tfl.depthwise_conv_2d"(%6, %7, %8) <{padding = "VALID", stride_h = 1 : i64, stride_w = 2 : i64, dilation_h_factor = 1 : i64, dilation_w_factor = 1 : i64, depth_multiplier = 1 : i64}> : (tensor<2x6x11x3xf32>, tensor<1x2x3x3xf32>, tensor<3xf32>) -> tensor<2x5x5x3xf32>
    %10 = "tfl.cast"(%9) : (tensor<2x5x5x3xf32>) -> tensor<2x5x5x3xi64>
    %11 = "tfl.pseudo_const"() <{values = dense<sha256 916be13088987848> : tensor<1x5x5x1xi64>}> : () -> tensor<1x5x5x1xi64>
    %12 = "tfl.mul"(%10, %11) : (tensor<2x5x5x3xi64>, tensor<1x5x5x1xi64>) -> tensor<2x5x5x3xi64>
    %13 = "tfl.pseudo_const"() <{values = dense<sha256 72da066275beb1de> : tensor<1x5x5x1xi64>}> : () -> tensor<1x5x5x1xi64>
    %14 = "tfl.add"(%12, %13) : (tensor<2x5x5x3xi64>, tensor<1x5x5x1xi64>) -> tensor<2x5x5x3xi64>
    %15 = "tfl.pseudo_const"() <{values = dense<sha256 f4c17bd1712a8f3c> : tensor<1x5x5x1xi64>}> : () -> tensor<1x5x5x1xi64>
    %16 = "tfl.mul"(%14, %15) : (tensor<2x5x5x3xi64>, tensor<1x5x5x1xi64>) -> tensor<2x5x5x3xi64>
    %17 = "tfl.bitcast"(%16) : (tensor<2x5x5x3xi64>) -> tensor<2x5x5x3x2xi32>
    %18 = "tfl.pseudo_const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %19 = "tfl.gather"(%17, %18) <{axis = 4 : i64}> : (tensor<2x5x5x3x2xi32>, tensor<i32>) -> tensor<2x5x5x3xi32>
    %20 = "tfl.pseudo_const"() <{values = dense<sha256 1f0eb3dff2af8a01> : tensor<1x5x5x1xi32>}> : () -> tensor<1x5x5x1xi32>
    %21 = "tfl.right_shift"(%19, %20) : (tensor<2x5x5x3xi32>, tensor<1x5x5x1xi32>) -> tensor<2x5x5x3xi32>
    %22 = "tfl.pseudo_const"() <{values = dense<-5> : tensor<i32>}> : () -> tensor<i32>
    %23 = "tfl.add"(%21, %22) : (tensor<2x5x5x3xi32>, tensor<i32>) -> tensor<2x5x5x3xi32>
    %24 = "tfl.pseudo_const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %25 = "tfl.maximum"(%23, %24) : (tensor<2x5x5x3xi32>, tensor<i32>) -> tensor<2x5x5x3xi32>
    %26 = "tfl.pseudo_const"() <{values = dense<127> : tensor<i32>}> : () -> tensor<i32>
    %27 = "tfl.minimum"(%25, %26) : (tensor<2x5x5x3xi32>, tensor<i32>) -> tensor<2x5x5x3xi32>
    %28 = "tfl.cast"(%27) : (tensor<2x5x5x3xi32>) -> tensor<2x5x5x3x!quant.uniform<i8:f32, 1.0:0>>
    return %28 : tensor<2x5x5x3x!quant.uniform<i8:f32, 1.0:0>>
  }
}
