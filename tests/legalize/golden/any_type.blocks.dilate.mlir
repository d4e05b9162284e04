// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x7x10x2xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 2, 3, 1]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %3 = "tfl.dilate"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, tensor<4xi32>, tensor<f32>) -> tensor<1x7x10x2xf32>
    return %3 : tensor<1x7x10x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x7x10x2xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[4, 1, 4, 1, 2]> : tensor<5xindex>}> : () -> !tosa.shape<5>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<5>) -> tensor<4x1x4x1x2xf32>
    %3 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 1, 0, 0, 0, 2, 0, 0]> : tensor<10xindex>}> : () -> !tosa.shape<10>
    %4 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %5 = "tosa.pad"(%2, %3, %4) : (tensor<4x1x4x1x2xf32>, !tosa.shape<10>, tensor<1xf32>) -> tensor<4x2x4x3x2xf32>
    %6 = "tosa.const_shape"() <{values = dense<[1, 8, 12, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %7 = "tosa.reshape"(%5, %6) : (tensor<4x2x4x3x2xf32>, !tosa.shape<4>) -> tensor<1x8x12x2xf32>
    %8 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %9 = "tosa.const_shape"() <{values = dense<[1, 7, 10, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %10 = "tosa.slice"(%7, %8, %9) : (tensor<1x8x12x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x7x10x2xf32>
    return %10 : tensor<1x7x10x2xf32>
  }
}
