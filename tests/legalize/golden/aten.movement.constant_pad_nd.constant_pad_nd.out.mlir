// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x7xf32> {tosa.tensor_name = "output_14"}) {
    %1 = "aten.constant_pad_nd.out"(%arg0) <{pad = array<i64: 1, 2>, value = 0x00000000 : f32}> : (tensor<2x3x4xf32>) -> tensor<2x3x7xf32>
    return %1 : tensor<2x3x7xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x7xf32> {tosa.tensor_name = "output_14"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0, 1, 2]> : tensor<6xindex>}> : () -> !tosa.shape<6>
    %2 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<2x3x4xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<2x3x7xf32>
    return %3 : tensor<2x3x7xf32>
  }
}
