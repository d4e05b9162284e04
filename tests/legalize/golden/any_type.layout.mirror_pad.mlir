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
    %4 = "tosa.reverse"(%3) <{axis = 1 : i32}> : (tensor<1x1x4x2xf32>) -> tensor<1x1x4x2xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 2, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %6 = "tosa.slice"(%arg0, %1, %5) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x2x4x2xf32>
    %7 = "tosa.reverse"(%6) <{axis = 1 : i32}> : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
    %8 = "tosa.concat"(%4, %arg0, %7) <{axis = 1 : i32}> : (tensor<1x1x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x2x4x2xf32>) -> tensor<1x7x4x2xf32>
    %9 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %10 = "tosa.const_shape"() <{values = dense<[1, 7, 3, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %11 = "tosa.slice"(%8, %9, %10) : (tensor<1x7x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x7x3x2xf32>
    %12 = "tosa.reverse"(%11) <{axis = 2 : i32}> : (tensor<1x7x3x2xf32>) -> tensor<1x7x3x2xf32>
    %13 = "tosa.const_shape"() <{values = dense<[0, 0, 2, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %14 = "tosa.const_shape"() <{values = dense<[1, 7, 1, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %15 = "tosa.slice"(%8, %13, %14) : (tensor<1x7x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x7x1x2xf32>
    %16 = "tosa.reverse"(%15) <{axis = 2 : i32}> : (tensor<1x7x1x2xf32>) -> tensor<1x7x1x2xf32>
    %17 = "tosa.concat"(%12, %8, %16) <{axis = 2 : i32}> : (tensor<1x7x3x2xf32>, tensor<1x7x4x2xf32>, tensor<1x7x1x2xf32>) -> tensor<1x7x8x2xf32>
    return %17 : tensor<1x7x8x2xf32>
  }
}
