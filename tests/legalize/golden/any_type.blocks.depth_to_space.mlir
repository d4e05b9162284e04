// before
module {
  func.func @"main"(%arg0: tensor<1x2x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x1xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.depth_to_space"(%arg0) <{block_size = 2 : i64}> : (tensor<1x2x2x4xf32>) -> tensor<1x4x4x1xf32>
    return %1 : tensor<1x4x4x1xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x1xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 2, 2, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x2x2x4xf32>, !tosa.shape<4>) -> tensor<2x2x2x2xf32>
    %3 = "tosa.transpose"(%2) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<2x2x2x2xf32>) -> tensor<2x2x2x2xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.reshape"(%3, %4) : (tensor<2x2x2x2xf32>, !tosa.shape<4>) -> tensor<1x4x4x1xf32>
    return %5 : tensor<1x4x4x1xf32>
  }
}
