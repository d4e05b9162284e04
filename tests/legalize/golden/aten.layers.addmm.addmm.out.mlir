// before
module {
  func.func @"main"(%arg0: tensor<3x5xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}, %arg2: tensor<4x5xf32> {tosa.tensor_name = "x2"}) -> (tensor<3x5xf32> {tosa.tensor_name = "output_3"}) {
    %3 = "aten.addmm.out"(%arg0, %arg1, %arg2) <{beta = 1 : i64, alpha = 1 : i64}> : (tensor<3x5xf32>, tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
    return %3 : tensor<3x5xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x5xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}, %arg2: tensor<4x5xf32> {tosa.tensor_name = "x2"}) -> (tensor<3x5xf32> {tosa.tensor_name = "output_3"}) {
    %3 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%arg1, %3) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 4, 5]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.reshape"(%arg2, %5) : (tensor<4x5xf32>, !tosa.shape<3>) -> tensor<1x4x5xf32>
    %7 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %8 = "tosa.matmul"(%4, %6, %7, %7) : (tensor<1x3x4xf32>, tensor<1x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x5xf32>
    %9 = "tosa.const_shape"() <{values = dense<[3, 5]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x3x5xf32>, !tosa.shape<2>) -> tensor<3x5xf32>
    %11 = "tosa.add"(%10, %arg0) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    return %11 : tensor<3x5xf32>
  }
}
