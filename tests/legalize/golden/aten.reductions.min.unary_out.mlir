// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<f32> {tosa.tensor_name = "output_11"}) {
    %1 = "aten.min.unary_out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<f32> {tosa.tensor_name = "output_11"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 24, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3x4xf32>, !tosa.shape<3>) -> tensor<1x24x1xf32>
    %3 = "tosa.reduce_min"(%2) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x24x1xf32>) -> tensor<1x1x1xf32>
    %4 = "tosa.const_shape"() <{values = dense<[]> : tensor<0xindex>}> : () -> !tosa.shape<0>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x1x1xf32>, !tosa.shape<0>) -> tensor<f32>
    return %5 : tensor<f32>
  }
}
