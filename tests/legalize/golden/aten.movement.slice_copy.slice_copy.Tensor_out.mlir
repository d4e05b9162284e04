// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x1x4xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.slice_copy.Tensor_out"(%arg0) <{dim = 1 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64}> : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
    return %1 : tensor<2x1x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x1x4xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.const_shape"() <{values = dense<[2, 1, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<2x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x1x4xf32>
    return %3 : tensor<2x1x4xf32>
  }
}
