// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = "output_12"}, tensor<2x4xi64> {tosa.tensor_name = "output_13"}) {
    %1, %2 = "aten.max.dim_max"(%arg0) <{dim = 1 : i64, keepdim = false}> : (tensor<2x3x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xi64>)
    return %1, %2 : tensor<2x4xf32>, tensor<2x4xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = "output_12"}, tensor<2x4xi32> {tosa.tensor_name = "output_13"}) {
    %1 = "tosa.reduce_max"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
    %2 = "tosa.const_shape"() <{values = dense<[2, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.reshape"(%1, %2) : (tensor<2x1x4xf32>, !tosa.shape<2>) -> tensor<2x4xf32>
    %4 = "tosa.argmax"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x3x4xf32>) -> tensor<2x4xi32>
    return %3, %4 : tensor<2x4xf32>, tensor<2x4xi32>
  }
}
