// before
module {
  func.func @"main"(%arg0: tensor<6x2x2x1xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3x4x1xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[2, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<[[0, 1], [2, 0]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
    %3 = "tfl.batch_to_space_nd"(%arg0, %1, %2) : (tensor<6x2x2x1xf32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<1x3x4x1xf32>
    return %3 : tensor<1x3x4x1xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<6x2x2x1xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3x4x1xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 3, 1, 2, 2, 1]> : tensor<6xindex>}> : () -> !tosa.shape<6>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<6x2x2x1xf32>, !tosa.shape<6>) -> tensor<2x3x1x2x2x1xf32>
    %3 = "tosa.transpose"(%2) <{perms = array<i32: 2, 3, 0, 4, 1, 5>}> : (tensor<2x3x1x2x2x1xf32>) -> tensor<1x2x2x2x3x1xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 4, 6, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x2x2x2x3x1xf32>, !tosa.shape<4>) -> tensor<1x4x6x1xf32>
    %6 = "tosa.const_shape"() <{values = dense<[0, 0, 2, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %7 = "tosa.const_shape"() <{values = dense<[1, 3, 4, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %8 = "tosa.slice"(%5, %6, %7) : (tensor<1x4x6x1xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x3x4x1xf32>
    return %8 : tensor<1x3x4x1xf32>
  }
}
