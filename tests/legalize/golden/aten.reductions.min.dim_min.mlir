// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x1xf32> {tosa.tensor_name = "output_14"}, tensor<2x3x1xi64> {tosa.tensor_name = "output_15"}) {
    %1, %2 = "aten.min.dim_min"(%arg0) <{dim = 2 : i64, keepdim = true}> : (tensor<2x3x4xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xi64>)
    return %1, %2 : tensor<2x3x1xf32>, tensor<2x3x1xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x1xf32> {tosa.tensor_name = "output_14"}, tensor<2x3x1xi32> {tosa.tensor_name = "output_15"}) {
    %1 = "tosa.reduce_min"(%arg0) <{axis = 2 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
    %2 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = "tosa.negate"(%arg0, %2, %2) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %4 = "tosa.argmax"(%3) <{axis = 2 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x3x4xf32>) -> tensor<2x3xi32>
    %5 = "tosa.const_shape"() <{values = dense<[2, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.reshape"(%4, %5) : (tensor<2x3xi32>, !tosa.shape<3>) -> tensor<2x3x1xi32>
    return %1, %6 : tensor<2x3x1xf32>, tensor<2x3x1xi32>
  }
}
