// before
module {
  func.func @"main"(%arg0: tensor<f32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}, %arg2: tensor<f32> {tosa.tensor_name = "t2"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tfl.stablehlo_clamp"(%arg0, %arg1, %arg2) : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    return %3 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<f32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}, %arg2: tensor<f32> {tosa.tensor_name = "t2"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tosa.const_shape"() <{values = dense<[1, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %4 = "tosa.reshape"(%arg0, %3) : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %5 = "tosa.maximum"(%4, %arg1) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %6 = "tosa.reshape"(%arg2, %3) : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %7 = "tosa.minimum"(%5, %6) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
    return %7 : tensor<2x3xf32>
  }
}
