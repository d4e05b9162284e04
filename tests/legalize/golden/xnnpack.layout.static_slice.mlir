// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<2x2x3xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.static_slice"(%arg0) <{num_dims = 3 : i64, offsets = array<i64: 0, 1, 1>, sizes = array<i64: 0, 2, 3>, flags = 0 : i64}> : (tensor<2x3x4xf32>) -> tensor<2x2x3xf32>
    return %1 : tensor<2x2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<2x2x3xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.const_shape"() <{values = dense<[2, 2, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<2x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x2x3xf32>
    return %3 : tensor<2x2x3xf32>
  }
}
