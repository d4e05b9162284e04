// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<6x4xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.static_reshape"(%arg0) <{num_dims = 2 : i64, new_shape = array<i64: 0, 4>, flags = 0 : i64}> : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
    return %1 : tensor<6x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<6x4xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[6, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<6x4xf32>
    return %2 : tensor<6x4xf32>
  }
}
