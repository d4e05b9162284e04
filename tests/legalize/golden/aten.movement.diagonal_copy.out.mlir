// before
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<3xf32> {tosa.tensor_name = "output_11"}) {
    %1 = "aten.diagonal_copy.out"(%arg0) <{offset = 1 : i64, dim1 = 0 : i64, dim2 = 1 : i64}> : (tensor<3x4xf32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<3xf32> {tosa.tensor_name = "output_11"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 12, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x12x1xf32>
    %3 = "tosa.const"() <{values = dense<[[1, 6, 11]]> : tensor<1x3xi32>}> : () -> tensor<1x3xi32>
    %4 = "tosa.gather"(%2, %3) : (tensor<1x12x1xf32>, tensor<1x3xi32>) -> tensor<1x3x1xf32>
    %5 = "tosa.const_shape"() <{values = dense<[3]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x3x1xf32>, !tosa.shape<1>) -> tensor<3xf32>
    return %6 : tensor<3xf32>
  }
}
