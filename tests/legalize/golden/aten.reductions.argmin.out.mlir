// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x1xi64> {tosa.tensor_name = "output_17"}) {
    %1 = "aten.argmin.out"(%arg0) <{dim = -1 : i64, keepdim = true}> : (tensor<2x3x4xf32>) -> tensor<2x3x1xi64>
    return %1 : tensor<2x3x1xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x1xi32> {tosa.tensor_name = "output_17"}) {
    %1 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.negate"(%arg0, %1, %1) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %3 = "tosa.argmax"(%2) <{axis = 2 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x3x4xf32>) -> tensor<2x3xi32>
    %4 = "tosa.const_shape"() <{values = dense<[2, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%3, %4) : (tensor<2x3xi32>, !tosa.shape<3>) -> tensor<2x3x1xi32>
    return %5 : tensor<2x3x1xi32>
  }
}
