// before
module {
  func.func @"main"(%arg0: tensor<3xf32> {tosa.tensor_name = "t0"}) -> (tensor<3x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.matrix_diag"(%arg0) : (tensor<3xf32>) -> tensor<3x3xf32>
    return %1 : tensor<3x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3xf32> {tosa.tensor_name = "t0"}) -> (tensor<3x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[[true, false, false], [false, true, false], [false, false, true]]> : tensor<3x3xi1>}> : () -> tensor<3x3xi1>
    %2 = "tosa.const_shape"() <{values = dense<[3, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<3xf32>, !tosa.shape<2>) -> tensor<3x1xf32>
    %4 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %5 = "tosa.select"(%1, %3, %4) : (tensor<3x3xi1>, tensor<3x1xf32>, tensor<1x1xf32>) -> tensor<3x3xf32>
    return %5 : tensor<3x3xf32>
  }
}
