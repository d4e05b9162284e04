// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_8"}) {
    %2 = "aten.minimum.out"(%arg0, %arg1) : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_8"}) {
    %2 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg1, %2) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %4 = "tosa.minimum"(%arg0, %3) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
    return %4 : tensor<2x3x4xf32>
  }
}
