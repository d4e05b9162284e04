// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x7x8x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[0, 0], [1, 2], [3, 1], [0, 0]]> : tensor<4x2xi32>}> : () -> tensor<4x2xi32>
    %2 = "tfl.mirror_pad"(%arg0, %1) <{mode = "REFLECT"}> : (tensor<1x4x4x2xf32>, tensor<4x2xi32>) -> tensor<1x7x8x2xf32>
    return %2 : tensor<1x7x8x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x7x8x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 1, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const_shape"() <{values = dense<[1, 1, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x1x4x2xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 2, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.slice"(%arg0, %1, %4) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x2x4x2xf32>
    %6 = "tosa.reverse"(%5) <{axis = 1 : i32}> : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
    %7 = "tosa.concat"(%3, %arg0, %6) <{axis = 1 : i32}> : (tensor<1x1x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x2x4x2xf32>) -> tensor<1x7x4x2xf32>
    %8 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %9 = "tosa.const_shape"() <{values = dense<[1, 7, 3, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %10 = "tosa.slice"(%7, %8, %9) : (tensor<1x7x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x7x3x2xf32>
    %11 = "tosa.reverse"(%10) <{axis = 2 : i32}> : (tensor<1x7x3x2xf32>) -> tensor<1x7x3x2xf32>
    %12 = "tosa.const_shape"() <{values = dense<[0, 0, 2, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %13 = "tosa.const_shape"() <{values = dense<[1, 7, 1, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %14 = "tosa.slice"(%7, %12, %13) : (tensor<1x7x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x7x1x2xf32>
    %15 = "tosa.concat"(%11, %7, %14) <{axis = 2 : i32}> : (tensor<1x7x3x2xf32>, tensor<1x7x4x2xf32>, tensor<1x7x1x2xf32>) -> tensor<1x7x8x2xf32>
    return %15 : tensor<1x7x8x2xf32>
  }
}
