// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<6x2x2x2xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[2, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<[[0, 0], [1, 1]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
    %3 = "tfl.space_to_batch_nd"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<6x2x2x2xf32>
    return %3 : tensor<6x2x2x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<6x2x2x2xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0, 1, 1, 0, 0]> : tensor<8xindex>}> : () -> !tosa.shape<8>
    %2 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x4x6x2xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 2, 2, 2, 3, 2]> : tensor<6xindex>}> : () -> !tosa.shape<6>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x4x6x2xf32>, !tosa.shape<6>) -> tensor<1x2x2x2x3x2xf32>
    %6 = "tosa.transpose"(%5) <{perms = array<i32: 2, 4, 0, 1, 3, 5>}> : (tensor<1x2x2x2x3x2xf32>) -> tensor<2x3x1x2x2x2xf32>
    %7 = "tosa.const_shape"() <{values = dense<[6, 2, 2, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %8 = "tosa.reshape"(%6, %7) : (tensor<2x3x1x2x2x2xf32>, !tosa.shape<4>) -> tensor<6x2x2x2xf32>
    return %8 : tensor<6x2x2x2xf32>
  }
}
