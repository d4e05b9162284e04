// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}, %arg2: tensor<3x4xf32> {tosa.tensor_name = "x2"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_6"}) {
    %3 = "aten.clamp.Tensor_out"(%arg0, %arg1, %arg2) : (tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
    return %3 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}, %arg2: tensor<3x4xf32> {tosa.tensor_name = "x2"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_6"}) {
    %3 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%arg1, %3) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %5 = "tosa.maximum"(%arg0, %4) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
    %6 = "tosa.reshape"(%arg2, %3) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %7 = "tosa.minimum"(%5, %6) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
    return %7 : tensor<2x3x4xf32>
  }
}
