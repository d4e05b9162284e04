// before
module {
  func.func @"main"(%arg0: tensor<1x2x8x9xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x12x20xf32> {tosa.tensor_name = "output_12"}) {
    %1 = "aten.upsample_bilinear2d.vec_out"(%arg0) <{output_size = array<i64: 12, 20>, align_corners = false, scale_factors = "None"}> : (tensor<1x2x8x9xf32>) -> tensor<1x2x12x20xf32>
    return %1 : tensor<1x2x12x20xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x8x9xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x12x20xf32> {tosa.tensor_name = "output_12"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x2x8x9xf32>) -> tensor<1x8x9x2xf32>
    %2 = "tosa.const_shape"() <{values = dense<[6, 4, 40, 18]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.const_shape"() <{values = dense<[-1, -11]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %4 = "tosa.const_shape"() <{values = dense<[1, 11]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %5 = "tosa.resize"(%1, %2, %3, %4) <{mode = #tosa.resize_mode<BILINEAR>}> : (tensor<1x8x9x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x12x20x2xf32>
    %6 = "tosa.transpose"(%5) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x12x20x2xf32>) -> tensor<1x2x12x20xf32>
    return %6 : tensor<1x2x12x20xf32>
  }
}
