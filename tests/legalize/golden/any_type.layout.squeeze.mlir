// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.squeeze"(%arg0) <{squeeze_dims = array<i64: 0>}> : (tensor<1x4x4x2xf32>) -> tensor<4x4x2xf32>
    return %1 : tensor<4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[4, 4, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<4x4x2xf32>
    return %2 : tensor<4x4x2xf32>
  }
}
