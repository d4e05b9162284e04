// before
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2x3xi64> {tosa.tensor_name = "x1"}, %arg2: tensor<2x3xf32> {tosa.tensor_name = "x2"}) -> (tensor<3x4xf32> {tosa.tensor_name = "output_3"}) {
    %3 = "aten.scatter_add.out"(%arg0, %arg1, %arg2) <{dim = 1 : i64}> : (tensor<3x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<3x4xf32>
    return %3 : tensor<3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2x3xi32> {tosa.tensor_name = "x1"}, %arg2: tensor<2x3xf32> {tosa.tensor_name = "x2"}) -> (tensor<3x4xf32> {tosa.tensor_name = "output_3"}) {
    %3 = "tosa.const_shape"() <{values = dense<[2, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%arg1, %3) : (tensor<2x3xi32>, !tosa.shape<3>) -> tensor<2x1x3xi32>
    %5 = "tosa.const"() <{values = dense<[[[0], [1], [2], [3]]]> : tensor<1x4x1xi32>}> : () -> tensor<1x4x1xi32>
    %6 = "tosa.equal"(%4, %5) : (tensor<2x1x3xi32>, tensor<1x4x1xi32>) -> tensor<2x4x3xi1>
    %7 = "tosa.reshape"(%arg2, %3) : (tensor<2x3xf32>, !tosa.shape<3>) -> tensor<2x1x3xf32>
    %8 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %9 = "tosa.select"(%6, %7, %8) : (tensor<2x4x3xi1>, tensor<2x1x3xf32>, tensor<1x1x1xf32>) -> tensor<2x4x3xf32>
    %10 = "tosa.reduce_sum"(%9) <{axis = 2 : i32}> : (tensor<2x4x3xf32>) -> tensor<2x4x1xf32>
    %11 = "tosa.const_shape"() <{values = dense<[2, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %12 = "tosa.reshape"(%10, %11) : (tensor<2x4x1xf32>, !tosa.shape<2>) -> tensor<2x4xf32>
    %13 = "tosa.const_shape"() <{values = dense<[0, 1, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %14 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %15 = "tosa.pad"(%12, %13, %14) : (tensor<2x4xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x4xf32>
    %16 = "tosa.add"(%arg0, %15) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %16 : tensor<3x4xf32>
  }
}
