// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x2x3xf32> {tosa.tensor_name = "output_12"}) {
    %1 = "aten.unfold_copy.out"(%arg0) <{dim = 2 : i64, size = 3 : i64, step = 1 : i64}> : (tensor<2x3x4xf32>) -> tensor<2x3x2x3xf32>
    return %1 : tensor<2x3x2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x2x3xf32> {tosa.tensor_name = "output_12"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 24, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3x4xf32>, !tosa.shape<3>) -> tensor<1x24x1xf32>
    %3 = "tosa.const"() <{values = dense<sha256 d6c04c19f1d80746> : tensor<1x36xi32>}> : () -> tensor<1x36xi32>
    %4 = "tosa.gather"(%2, %3) : (tensor<1x24x1xf32>, tensor<1x36xi32>) -> tensor<1x36x1xf32>
    %5 = "tosa.const_shape"() <{values = dense<[2, 3, 2, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x36x1xf32>, !tosa.shape<4>) -> tensor<2x3x2x3xf32>
    return %6 : tensor<2x3x2x3xf32>
  }
}
