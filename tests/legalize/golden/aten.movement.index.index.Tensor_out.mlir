// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2xi64> {tosa.tensor_name = "x1"}) -> (tensor<2x2x4xf32> {tosa.tensor_name = "output_20"}) {
    %2 = "aten.index.Tensor_out"(%arg0, %none, %arg1) : (tensor<2x3x4xf32>, none, tensor<2xi64>) -> tensor<2x2x4xf32>
    return %2 : tensor<2x2x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2xi32> {tosa.tensor_name = "x1"}) -> (tensor<2x2x4xf32> {tosa.tensor_name = "output_20"}) {
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tosa.greater"(%2, %arg1) : (tensor<1xi32>, tensor<2xi32>) -> tensor<2xi1>
    %4 = "tosa.const"() <{values = dense<[3]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %5 = "tosa.add"(%arg1, %4) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = "tosa.select"(%3, %5, %arg1) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %7 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %8 = "tosa.reshape"(%6, %7) : (tensor<2xi32>, !tosa.shape<3>) -> tensor<1x1x2xi32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.tile"(%8, %9) : (tensor<1x1x2xi32>, !tosa.shape<3>) -> tensor<1x2x2xi32>
    %11 = "tosa.const_shape"() <{values = dense<[2, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %12 = "tosa.reshape"(%10, %11) : (tensor<1x2x2xi32>, !tosa.shape<2>) -> tensor<2x2xi32>
    %13 = "tosa.gather"(%arg0, %12) : (tensor<2x3x4xf32>, tensor<2x2xi32>) -> tensor<2x2x4xf32>
    return %13 : tensor<2x2x4xf32>
  }
}
