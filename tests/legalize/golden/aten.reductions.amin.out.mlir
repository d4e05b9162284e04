// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x3x1xf32> {tosa.tensor_name = "output_9"}) {
    %1 = "aten.amin.out"(%arg0) <{dim = array<i64: 0, 2>, keepdim = true}> : (tensor<2x3x4xf32>) -> tensor<1x3x1xf32>
    return %1 : tensor<1x3x1xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x3x1xf32> {tosa.tensor_name = "output_9"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 1, 0, 2>}> : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
    %2 = "tosa.const_shape"() <{values = dense<[3, 8, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%1, %2) : (tensor<3x2x4xf32>, !tosa.shape<3>) -> tensor<3x8x1xf32>
    %4 = "tosa.reduce_min"(%3) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<3x8x1xf32>) -> tensor<3x1x1xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.reshape"(%4, %5) : (tensor<3x1x1xf32>, !tosa.shape<3>) -> tensor<1x3x1xf32>
    return %6 : tensor<1x3x1xf32>
  }
}
