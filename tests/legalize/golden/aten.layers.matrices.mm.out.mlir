// before
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<4x5xf32> {tosa.tensor_name = "x1"}) -> (tensor<3x5xf32> {tosa.tensor_name = "output_2"}) {
    %2 = "aten.mm.out"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
    return %2 : tensor<3x5xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<4x5xf32> {tosa.tensor_name = "x1"}) -> (tensor<3x5xf32> {tosa.tensor_name = "output_2"}) {
    %2 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 4, 5]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%arg1, %4) : (tensor<4x5xf32>, !tosa.shape<3>) -> tensor<1x4x5xf32>
    %6 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %7 = "tosa.matmul"(%3, %5, %6, %6) : (tensor<1x3x4xf32>, tensor<1x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x5xf32>
    %8 = "tosa.const_shape"() <{values = dense<[3, 5]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %9 = "tosa.reshape"(%7, %8) : (tensor<1x3x5xf32>, !tosa.shape<2>) -> tensor<3x5xf32>
    return %9 : tensor<3x5xf32>
  }
}
