// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x2xf32> {tosa.tensor_name = "output_10"}) {
    %1 = "aten.as_strided_copy.out"(%arg0) <{size = array<i64: 2, 2>, stride = array<i64: 4, 1>, storage_offset = 3 : i64}> : (tensor<2x3x4xf32>) -> tensor<2x2xf32>
    return %1 : tensor<2x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x2xf32> {tosa.tensor_name = "output_10"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 24, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3x4xf32>, !tosa.shape<3>) -> tensor<1x24x1xf32>
    %3 = "tosa.const"() <{values = dense<[[3, 4, 7, 8]]> : tensor<1x4xi32>}> : () -> tensor<1x4xi32>
    %4 = "tosa.gather"(%2, %3) : (tensor<1x24x1xf32>, tensor<1x4xi32>) -> tensor<1x4x1xf32>
    %5 = "tosa.const_shape"() <{values = dense<[2, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x4x1xf32>, !tosa.shape<2>) -> tensor<2x2xf32>
    return %6 : tensor<2x2xf32>
  }
}
