// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<4x4xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %2 = "tfl.stablehlo_pad"(%arg0, %1) <{edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 1, 0>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<4x4xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3xf32>, !tosa.shape<3>) -> tensor<2x1x3xf32>
    %3 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 1, 0, 0]> : tensor<6xindex>}> : () -> !tosa.shape<6>
    %4 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %5 = "tosa.pad"(%2, %3, %4) : (tensor<2x1x3xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<2x2x3xf32>
    %6 = "tosa.const_shape"() <{values = dense<[4, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %7 = "tosa.reshape"(%5, %6) : (tensor<2x2x3xf32>, !tosa.shape<2>) -> tensor<4x3xf32>
    %8 = "tosa.const_shape"() <{values = dense<[0, 0]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %9 = "tosa.const_shape"() <{values = dense<[3, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %10 = "tosa.slice"(%7, %8, %9) : (tensor<4x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<3x3xf32>
    %11 = "tosa.const_shape"() <{values = dense<[0, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %12 = "tosa.const_shape"() <{values = dense<[3, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %13 = "tosa.slice"(%10, %11, %12) : (tensor<3x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<3x2xf32>
    %14 = "tosa.const_shape"() <{values = dense<[1, 0, 0, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %15 = "tosa.pad"(%13, %14, %4) : (tensor<3x2xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<4x4xf32>
    return %15 : tensor<4x4xf32>
  }
}
