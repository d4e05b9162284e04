// before
module {
  func.func @"main"(%arg0: tensor<2x8x5x3xi8> {tosa.tensor_name = "in0"}) -> (tensor<2x16x15x3xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[4, 2, 6, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const_shape"() <{values = dense<[-1, -2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %4 = "tosa.resize"(%arg0, %1, %2, %3) <{mode = #tosa.resize_mode<BILINEAR>}> : (tensor<2x8x5x3xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x16x15x3xi32>
    return %4 : tensor<2x16x15x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x8x5x3x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<2x16x15x3xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<2x8x5x3x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x8x5x3xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<[0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7]> : tensor<16xi32>}> : () -> tensor<16xi32>
    %3 = "tfl.gather"(%1, %2) <{axis = 1 : i64}> : (tensor<2x8x5x3xi32>, tensor<16xi32>) -> tensor<2x16x5x3xi32>
    %4 = "tfl.pseudo_const"() <{values = dense<[[[[1]], [[3]], [[1]], [[3]], [[1]], [[3]], [[1]], [[3]], [[1]], [[3]], [[1]], [[3]], [[1]], [[3]], [[1]], [[3]]]]> : tensor<1x16x1x1xi32>}> : () -> tensor<1x16x1x1xi32>
    %5 = "tfl.mul"(%3, %4) : (tensor<2x16x5x3xi32>, tensor<1x16x1x1xi32>) -> tensor<2x16x5x3xi32>
    %6 = "tfl.pseudo_const"() <{values = dense<[0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7]> : tensor<16xi32>}> : () -> tensor<16xi32>
    %7 = "tfl.gather"(%1, %6) <{axis = 1 : i64}> : (tensor<2x8x5x3xi32>, tensor<16xi32>) -> tensor<2x16x5x3xi32>
    %8 = "tfl.pseudo_const"() <{values = dense<[[[[3]], [[1]], [[3]], [[1]], [[3]], [[1]], [[3]], [[1]], [[3]], [[1]], [[3]], [[1]], [[3]], [[1]], [[3]], [[1]]]]> : tensor<1x16x1x1xi32>}> : () -> tensor<1x16x1x1xi32>
    %9 = "tfl.mul"(%7, %8) : (tensor<2x16x5x3xi32>, tensor<1x16x1x1xi32>) -> tensor<2x16x5x3xi32>
    %10 = "tfl.add"(%5, %9) : (tensor<2x16x5x3xi32>, tensor<2x16x5x3xi32>) -> tensor<2x16x5x3xi32>
    %11 = "tfl.pseudo_const"() <{values = dense<[0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4]> : tensor<15xi32>}> : () -> tensor<15xi32>
    %12 = "tfl.gather"(%10, %11) <{axis = 2 : i64}> : (tensor<2x16x5x3xi32>, tensor<15xi32>) -> tensor<2x16x15x3xi32>
    %13 = "tfl.pseudo_const"() <{values = dense<[[[[2], [6], [4], [2], [6], [4], [2], [6], [4], [2], [6], [4], [2], [6], [4]]]]> : tensor<1x1x15x1xi32>}> : () -> tensor<1x1x15x1xi32>
    %14 = "tfl.mul"(%12, %13) : (tensor<2x16x15x3xi32>, tensor<1x1x15x1xi32>) -> tensor<2x16x15x3xi32>
    %15 = "tfl.pseudo_const"() <{values = dense<[0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4]> : tensor<15xi32>}> : () -> tensor<15xi32>
    %16 = "tfl.gather"(%10, %15) <{axis = 2 : i64}> : (tensor<2x16x5x3xi32>, tensor<15xi32>) -> tensor<2x16x15x3xi32>
    %17 = "tfl.pseudo_const"() <{values = dense<[[[[4], [0], [2], [4], [0], [2], [4], [0], [2], [4], [0], [2], [4], [0], [2]]]]> : tensor<1x1x15x1xi32>}> : () -> tensor<1x1x15x1xi32>
    %18 = "tfl.mul"(%16, %17) : (tensor<2x16x15x3xi32>, tensor<1x1x15x1xi32>) -> tensor<2x16x15x3xi32>
    %19 = "tfl.add"(%14, %18) : (tensor<2x16x15x3xi32>, tensor<2x16x15x3xi32>) -> tensor<2x16x15x3xi32>
    return %19 : tensor<2x16x15x3xi32>
  }
}
