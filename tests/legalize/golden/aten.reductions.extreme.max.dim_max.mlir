// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = "output_12"}, tensor<2x4xi64> {tosa.tensor_name = "output_13"}) {
    %1, %2 = "aten.max.dim_max"(%arg0) <{dim = 1 : i64, keepdim = false}> : (tensor<2x3x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xi64>) loc("forward:14 aten::max.dim_max")
    return %1, %2 : tensor<2x4xf32>, tensor<2x4xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = "output_12"}, tensor<2x4xi32> {tosa.tensor_name = "output_13"}) {
    %1 = "tosa.argmax"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x3x4xf32>) -> tensor<2x4xi32> loc("forward:14 aten::max.dim_max")
    %2 = "tosa.reduce_max"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32> loc("forward:14 aten::max.dim_max")
    %3 = "tosa.const_shape"() <{values = dense<[2, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("forward:14 aten::max.dim_max")
    %4 = "tosa.reshape"(%2, %3) : (tensor<2x1x4xf32>, !tosa.shape<2>) -> tensor<2x4xf32> loc("forward:14 aten::max.dim_max")
    return %4, %1 : tensor<2x4xf32>, tensor<2x4xi32>
  }
}
