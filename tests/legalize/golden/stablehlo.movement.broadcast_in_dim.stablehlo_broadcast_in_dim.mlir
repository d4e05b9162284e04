// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x4x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.stablehlo_broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
    return %1 : tensor<2x4x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x4x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3xf32>, !tosa.shape<3>) -> tensor<2x1x3xf32>
    %3 = "tosa.const_shape"() <{values = dense<[1, 4, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.tile"(%2, %3) : (tensor<2x1x3xf32>, !tosa.shape<3>) -> tensor<2x4x3xf32>
    return %4 : tensor<2x4x3xf32>
  }
}
