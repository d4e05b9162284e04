// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x6x3xi8> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6x4xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<"0x8570A3ECF2026008AD7CAEAA"> : tensor<4x1x1x1x3xi8>}> : () -> tensor<4x1x1x1x3xi8> loc("")
    %2 = "tosa.const"() <{values = dense<"0x00000000FBFFFFFF0000000007000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %3 = "tosa.const"() <{values = dense<"0x03"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %4 = "tosa.const"() <{values = dense<"0xFB"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %5 = "tosa.conv3d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>, acc_type = i32, local_bound = true}> : (tensor<2x4x5x6x3xi8>, tensor<4x1x1x1x3xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x4x5x6x4xi32> loc("")
    return %5 : tensor<2x4x5x6x4xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x6x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5x6x4xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x4x5x6x3x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x5x6x3xf32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x00004040"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %3 = "tfl.sub"(%1, %2) : (tensor<2x4x5x6x3xf32>, tensor<f32>) -> tensor<2x4x5x6x3xf32> loc("")
    %4 = "tfl.pseudo_const"() <{values = dense<"0x0000ECC2000070C10000CA42000001430000EA42000010C10000504100009AC20000B0C20000E04000009CC20000A2C2"> : tensor<1x1x1x3x4xf32>}> : () -> tensor<1x1x1x3x4xf32> loc("")
    %5 = "tfl.pseudo_const"() <{values = dense<"0x00000000000000000000000000000000"> : tensor<4xf32>}> : () -> tensor<4xf32> loc("")
    %6 = "tfl.conv_3d"(%3, %4, %5) <{padding = "VALID", stride_d = 1 : i64, stride_h = 1 : i64, stride_w = 1 : i64, dilation_d_factor = 1 : i64, dilation_h_factor = 1 : i64, dilation_w_factor = 1 : i64}> : (tensor<2x4x5x6x3xf32>, tensor<1x1x1x3x4xf32>, tensor<4xf32>) -> tensor<2x4x5x6x4xf32> loc("")
    %7 = "tfl.cast"(%6) : (tensor<2x4x5x6x4xf32>) -> tensor<2x4x5x6x4xi32> loc("")
    %8 = "tfl.pseudo_const"() <{values = dense<"0xF000000004000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("")
    %9 = "tfl.reshape"(%7, %8) <{new_shape = array<i64: 240, 4>}> : (tensor<2x4x5x6x4xi32>, tensor<2xi32>) -> tensor<240x4xi32> loc("")
    %10 = "tfl.pseudo_const"() <{values = dense<"0x00000000FBFFFFFF0000000007000000"> : tensor<1x4xi32>}> : () -> tensor<1x4xi32> loc("")
    %11 = "tfl.add"(%9, %10) : (tensor<240x4xi32>, tensor<1x4xi32>) -> tensor<240x4xi32> loc("")
    %12 = "tfl.pseudo_const"() <{values = dense<"0x0200000004000000050000000600000004000000"> : tensor<5xi32>}> : () -> tensor<5xi32> loc("")
    %13 = "tfl.reshape"(%11, %12) <{new_shape = array<i64: 2, 4, 5, 6, 4>}> : (tensor<240x4xi32>, tensor<5xi32>) -> tensor<2x4x5x6x4xi32> loc("")
    return %13 : tensor<2x4x5x6x4xi32>
  }
}
