// before
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x7x9x3xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.static_resize_bilinear_2d"(%arg0) <{new_height = 7 : i64, new_width = 9 : i64, flags = 0 : i64}> : (tensor<1x5x4x3xf32>) -> tensor<1x7x9x3xf32>
    return %1 : tensor<1x7x9x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x7x9x3xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[7, 5, 18, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const_shape"() <{values = dense<[-1, -5]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.const_shape"() <{values = dense<[1, 5]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %4 = "tosa.resize"(%arg0, %1, %2, %3) <{mode = #tosa.resize_mode<BILINEAR>}> : (tensor<1x5x4x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x9x3xf32>
    return %4 : tensor<1x7x9x3xf32>
  }
}
