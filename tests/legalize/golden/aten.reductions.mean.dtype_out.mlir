// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<f32> {tosa.tensor_name = "output_2"}) {
    %1 = "aten.mean.dtype_out"(%arg0) <{dtype = "None"}> : (tensor<2x3x4xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<f32> {tosa.tensor_name = "output_2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 24, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3x4xf32>, !tosa.shape<3>) -> tensor<1x24x1xf32>
    %3 = "tosa.reduce_sum"(%2) <{axis = 1 : i32}> : (tensor<1x24x1xf32>) -> tensor<1x1x1xf32>
    %4 = "tosa.const"() <{values = dense<[[[0.0416666679084301]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.mul"(%3, %4, %5) : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1xf32>
    %7 = "tosa.const_shape"() <{values = dense<[]> : tensor<0xindex>}> : () -> !tosa.shape<0>
    %8 = "tosa.reshape"(%6, %7) : (tensor<1x1x1xf32>, !tosa.shape<0>) -> tensor<f32>
    return %8 : tensor<f32>
  }
}
