// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<3x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.stablehlo_reshape"(%arg0) : (tensor<2x3xf32>) -> tensor<3x2xf32>
    return %1 : tensor<3x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<3x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[3, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
    return %2 : tensor<3x2xf32>
  }
}
