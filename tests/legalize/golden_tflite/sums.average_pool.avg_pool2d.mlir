// before
module {
  func.func @"main"(%arg0: tensor<2x5x8x3xi8> {tosa.tensor_name = "in0"}) -> (tensor<2x5x5x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<"0x03"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %2 = "tosa.const"() <{values = dense<"0xFB"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %3 = "tosa.avg_pool2d"(%arg0, %1, %2) <{kernel = array<i64: 2, 3>, stride = array<i64: 1, 2>, pad = array<i64: 1, 0, 2, 1>, acc_type = i32}> : (tensor<2x5x8x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x5x5x3xi8> loc("")
    return %3 : tensor<2x5x5x3xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x5x8x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<2x5x5x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x5x8x3x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x5x8x3xf32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x00004040"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %3 = "tfl.sub"(%1, %2) : (tensor<2x5x8x3xf32>, tensor<f32>) -> tensor<2x5x8x3xf32> loc("")
    %4 = "tfl.pseudo_const"() <{values = dense<"0x0000000000000000010000000000000002000000010000000000000000000000"> : tensor<4x2xi32>}> : () -> tensor<4x2xi32> loc("")
    %5 = "tfl.pseudo_const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("")
    %6 = "tfl.padv2"(%3, %4, %5) : (tensor<2x5x8x3xf32>, tensor<4x2xi32>, tensor<1xf32>) -> tensor<2x6x11x3xf32> loc("")
    %7 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<1x2x3x3xf32>}> : () -> tensor<1x2x3x3xf32> loc("")
    %8 = "tfl.pseudo_const"() <{values = dense<"0x000000000000000000000000"> : tensor<3xf32>}> : () -> tensor<3xf32> loc("")
    %9 = "tfl.depthwise_conv_2d"(%6, %7, %8) <{padding = "VALID", stride_h = 1 : i64, stride_w = 2 : i64, dilation_h_factor = 1 : i64, dilation_w_factor = 1 : i64, depth_multiplier = 1 : i64}> : (tensor<2x6x11x3xf32>, tensor<1x2x3x3xf32>, tensor<3xf32>) -> tensor<2x5x5x3xf32> loc("")
    %10 = "tfl.cast"(%9) : (tensor<2x5x5x3xf32>) -> tensor<2x5x5x3xi64> loc("")
    %11 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<1x5x5x1xi64>}> : () -> tensor<1x5x5x1xi64> loc("")
    %12 = "tfl.mul"(%10, %11) : (tensor<2x5x5x3xi64>, tensor<1x5x5x1xi64>) -> tensor<2x5x5x3xi64> loc("")
    %13 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<1x5x5x1xi64>}> : () -> tensor<1x5x5x1xi64> loc("")
    %14 = "tfl.add"(%12, %13) : (tensor<2x5x5x3xi64>, tensor<1x5x5x1xi64>) -> tensor<2x5x5x3xi64> loc("")
    %15 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<1x5x5x1xi64>}> : () -> tensor<1x5x5x1xi64> loc("")
    %16 = "tfl.mul"(%14, %15) : (tensor<2x5x5x3xi64>, tensor<1x5x5x1xi64>) -> tensor<2x5x5x3xi64> loc("")
    %17 = "tfl.bitcast"(%16) : (tensor<2x5x5x3xi64>) -> tensor<2x5x5x3x2xi32> loc("")
    %18 = "tfl.pseudo_const"() <{values = dense<"0x01000000"> : tensor<i32>}> : () -> tensor<i32> loc("")
    %19 = "tfl.gather"(%17, %18) <{axis = 4 : i64}> : (tensor<2x5x5x3x2xi32>, tensor<i32>) -> tensor<2x5x5x3xi32> loc("")
    %20 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<1x5x5x1xi32>}> : () -> tensor<1x5x5x1xi32> loc("")
    %21 = "tfl.right_shift"(%19, %20) : (tensor<2x5x5x3xi32>, tensor<1x5x5x1xi32>) -> tensor<2x5x5x3xi32> loc("")
    %22 = "tfl.pseudo_const"() <{values = dense<"0xFBFFFFFF"> : tensor<i32>}> : () -> tensor<i32> loc("")
    %23 = "tfl.add"(%21, %22) : (tensor<2x5x5x3xi32>, tensor<i32>) -> tensor<2x5x5x3xi32> loc("")
    %24 = "tfl.pseudo_const"() <{values = dense<"0x80FFFFFF"> : tensor<i32>}> : () -> tensor<i32> loc("")
    %25 = "tfl.maximum"(%23, %24) : (tensor<2x5x5x3xi32>, tensor<i32>) -> tensor<2x5x5x3xi32> loc("")
    %26 = "tfl.pseudo_const"() <{values = dense<"0x7F000000"> : tensor<i32>}> : () -> tensor<i32> loc("")
    %27 = "tfl.minimum"(%25, %26) : (tensor<2x5x5x3xi32>, tensor<i32>) -> tensor<2x5x5x3xi32> loc("")
    %28 = "tfl.cast"(%27) : (tensor<2x5x5x3xi32>) -> tensor<2x5x5x3x!quant.uniform<i8:f32, 1.0:0>> loc("")
    return %28 : tensor<2x5x5x3x!quant.uniform<i8:f32, 1.0:0>>
  }
}
