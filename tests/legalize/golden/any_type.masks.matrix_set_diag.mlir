// before
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<3xf32> {tosa.tensor_name = "t1"}) -> (tensor<3x4xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.matrix_set_diag"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
    return %2 : tensor<3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<3xf32> {tosa.tensor_name = "t1"}) -> (tensor<3x4xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[[true, false, false, false], [false, true, false, false], [false, false, true, false]]> : tensor<3x4xi1>}> : () -> tensor<3x4xi1>
    %3 = "tosa.const_shape"() <{values = dense<[3, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %4 = "tosa.reshape"(%arg1, %3) : (tensor<3xf32>, !tosa.shape<2>) -> tensor<3x1xf32>
    %5 = "tosa.select"(%2, %4, %arg0) : (tensor<3x4xi1>, tensor<3x1xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %5 : tensor<3x4xf32>
  }
}
