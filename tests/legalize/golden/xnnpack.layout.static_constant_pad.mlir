// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x6xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.static_constant_pad"(%arg0) <{pre_paddings = array<i64: 1, 0>, post_paddings = array<i64: 0, 3>, padding_value = 0x3EC00000 : f32, flags = 0 : i64}> : (tensor<2x3xf32>) -> tensor<3x6xf32>
    return %1 : tensor<3x6xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x6xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 0, 0, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const"() <{values = dense<[0.375]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x6xf32>
    return %3 : tensor<3x6xf32>
  }
}
