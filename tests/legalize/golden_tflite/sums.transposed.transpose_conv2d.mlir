// before
module {
  func.func @"main"(%arg0: tensor<2x4x5x3xi8> {tosa.tensor_name = "in0"}) -> (tensor<2x6x8x4xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<4x3x4x3xi8>}> : () -> tensor<4x3x4x3xi8> loc("")
    %2 = "tosa.const"() <{values = dense<"0xFFFFFFFFF7FFFFFFFEFFFFFFFCFFFFFF"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %3 = "tosa.const"() <{values = dense<"0x03"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %4 = "tosa.const"() <{values = dense<"0xFB"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %5 = "tosa.transpose_conv2d"(%arg0, %1, %2, %3, %4) <{out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<2x4x5x3xi8>, tensor<4x3x4x3xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x6x8x4xi32> loc("")
    return %5 : tensor<2x6x8x4xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x5x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<2x6x8x4xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x4x5x3x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x5x3xf32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x00004040"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %3 = "tfl.sub"(%1, %2) : (tensor<2x4x5x3xf32>, tensor<f32>) -> tensor<2x4x5x3xf32> loc("")
    %4 = "tfl.pseudo_const"() <{values = dense<"0x02000000060000000800000004000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %5 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<4x3x4x3xf32>}> : () -> tensor<4x3x4x3xf32> loc("")
    %6 = "tfl.transpose_conv"(%4, %5, %3) <{stride_h = 1 : i64, stride_w = 1 : i64, padding = "VALID"}> : (tensor<4xi32>, tensor<4x3x4x3xf32>, tensor<2x4x5x3xf32>) -> tensor<2x6x8x4xf32> loc("")
    %7 = "tfl.cast"(%6) : (tensor<2x6x8x4xf32>) -> tensor<2x6x8x4xi32> loc("")
    %8 = "tfl.pseudo_const"() <{values = dense<"0xFFFFFFFFF7FFFFFFFEFFFFFFFCFFFFFF"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %9 = "tfl.add"(%7, %8) : (tensor<2x6x8x4xi32>, tensor<4xi32>) -> tensor<2x6x8x4xi32> loc("")
    return %9 : tensor<2x6x8x4xi32>
  }
}
