// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<1x1x4xi64> {tosa.tensor_name = "x1"}) -> (tensor<1x1x4xf32> {tosa.tensor_name = "output_22"}) {
    %2 = "aten.gather.out"(%arg0, %arg1) <{dim = 1 : i64, sparse_grad = false}> : (tensor<2x3x4xf32>, tensor<1x1x4xi64>) -> tensor<1x1x4xf32>
    return %2 : tensor<1x1x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<1x1x4xi32> {tosa.tensor_name = "x1"}) -> (tensor<1x1x4xf32> {tosa.tensor_name = "output_22"}) {
    %2 = "tosa.const_shape"() <{values = dense<[1, 24, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<2x3x4xf32>, !tosa.shape<3>) -> tensor<1x24x1xf32>
    %4 = "tosa.const"() <{values = dense<[[[4]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.mul"(%arg1, %4, %5) : (tensor<1x1x4xi32>, tensor<1x1x1xi32>, tensor<1xi8>) -> tensor<1x1x4xi32>
    %7 = "tosa.const"() <{values = dense<[[[0, 1, 2, 3]]]> : tensor<1x1x4xi32>}> : () -> tensor<1x1x4xi32>
    %8 = "tosa.add"(%6, %7) : (tensor<1x1x4xi32>, tensor<1x1x4xi32>) -> tensor<1x1x4xi32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x1x4xi32>, !tosa.shape<2>) -> tensor<1x4xi32>
    %11 = "tosa.gather"(%3, %10) : (tensor<1x24x1xf32>, tensor<1x4xi32>) -> tensor<1x4x1xf32>
    %12 = "tosa.const_shape"() <{values = dense<[1, 1, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %13 = "tosa.reshape"(%11, %12) : (tensor<1x4x1xf32>, !tosa.shape<3>) -> tensor<1x1x4xf32>
    return %13 : tensor<1x1x4xf32>
  }
}
