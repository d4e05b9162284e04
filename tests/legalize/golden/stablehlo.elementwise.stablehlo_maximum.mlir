// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_maximum"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.maximum"(%arg0, %arg1) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
