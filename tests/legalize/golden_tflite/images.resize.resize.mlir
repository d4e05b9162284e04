// before
module {
  func.func @"main"(%arg0: tensor<2x8x5x3xi8> {tosa.tensor_name = "in0"}) -> (tensor<2x16x15x3xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[4, 2, 6, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("")
    %2 = "tosa.const_shape"() <{values = dense<[-1, -2]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("")
    %3 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("")
    %4 = "tosa.resize"(%arg0, %1, %2, %3) <{mode = #tosa.resize_mode<BILINEAR>}> : (tensor<2x8x5x3xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x16x15x3xi32> loc("")
    return %4 : tensor<2x16x15x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x8x5x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<2x16x15x3xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x8x5x3x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x8x5x3xi32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x00000000000000000000000001000000010000000200000002000000030000000300000004000000040000000500000005000000060000000600000007000000"> : tensor<16xi32>}> : () -> tensor<16xi32> loc("")
    %3 = "tfl.gather"(%1, %2) <{axis = 1 : i64}> : (tensor<2x8x5x3xi32>, tensor<16xi32>) -> tensor<2x16x5x3xi32> loc("")
    %4 = "tfl.pseudo_const"() <{values = dense<"0x00000000010000000100000002000000020000000300000003000000040000000400000005000000050000000600000006000000070000000700000007000000"> : tensor<16xi32>}> : () -> tensor<16xi32> loc("")
    %5 = "tfl.gather"(%1, %4) <{axis = 1 : i64}> : (tensor<2x8x5x3xi32>, tensor<16xi32>) -> tensor<2x16x5x3xi32> loc("")
    %6 = "tfl.pseudo_const"() <{values = dense<"0x01000000030000000100000003000000010000000300000001000000030000000100000003000000010000000300000001000000030000000100000003000000"> : tensor<1x16x1x1xi32>}> : () -> tensor<1x16x1x1xi32> loc("")
    %7 = "tfl.mul"(%3, %6) : (tensor<2x16x5x3xi32>, tensor<1x16x1x1xi32>) -> tensor<2x16x5x3xi32> loc("")
    %8 = "tfl.pseudo_const"() <{values = dense<"0x03000000010000000300000001000000030000000100000003000000010000000300000001000000030000000100000003000000010000000300000001000000"> : tensor<1x16x1x1xi32>}> : () -> tensor<1x16x1x1xi32> loc("")
    %9 = "tfl.mul"(%5, %8) : (tensor<2x16x5x3xi32>, tensor<1x16x1x1xi32>) -> tensor<2x16x5x3xi32> loc("")
    %10 = "tfl.add"(%7, %9) : (tensor<2x16x5x3xi32>, tensor<2x16x5x3xi32>) -> tensor<2x16x5x3xi32> loc("")
    %11 = "tfl.pseudo_const"() <{values = dense<"0x000000000000000000000000000000000100000001000000010000000200000002000000020000000300000003000000030000000400000004000000"> : tensor<15xi32>}> : () -> tensor<15xi32> loc("")
    %12 = "tfl.gather"(%10, %11) <{axis = 2 : i64}> : (tensor<2x16x5x3xi32>, tensor<15xi32>) -> tensor<2x16x15x3xi32> loc("")
    %13 = "tfl.pseudo_const"() <{values = dense<"0x000000000100000001000000010000000200000002000000020000000300000003000000030000000400000004000000040000000400000004000000"> : tensor<15xi32>}> : () -> tensor<15xi32> loc("")
    %14 = "tfl.gather"(%10, %13) <{axis = 2 : i64}> : (tensor<2x16x5x3xi32>, tensor<15xi32>) -> tensor<2x16x15x3xi32> loc("")
    %15 = "tfl.pseudo_const"() <{values = dense<"0x020000000600000004000000020000000600000004000000020000000600000004000000020000000600000004000000020000000600000004000000"> : tensor<1x1x15x1xi32>}> : () -> tensor<1x1x15x1xi32> loc("")
    %16 = "tfl.mul"(%12, %15) : (tensor<2x16x15x3xi32>, tensor<1x1x15x1xi32>) -> tensor<2x16x15x3xi32> loc("")
    %17 = "tfl.pseudo_const"() <{values = dense<"0x040000000000000002000000040000000000000002000000040000000000000002000000040000000000000002000000040000000000000002000000"> : tensor<1x1x15x1xi32>}> : () -> tensor<1x1x15x1xi32> loc("")
    %18 = "tfl.mul"(%14, %17) : (tensor<2x16x15x3xi32>, tensor<1x1x15x1xi32>) -> tensor<2x16x15x3xi32> loc("")
    %19 = "tfl.add"(%16, %18) : (tensor<2x16x15x3xi32>, tensor<2x16x15x3xi32>) -> tensor<2x16x15x3xi32> loc("")
    return %19 : tensor<2x16x15x3xi32>
  }
}
