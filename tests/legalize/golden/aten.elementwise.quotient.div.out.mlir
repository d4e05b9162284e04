// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_5"}) {
    %2 = "aten.div.out"(%arg0, %arg1) : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_5"}) {
    %2 = "tosa.reciprocal"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %3 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%2, %3) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.mul"(%arg0, %4, %5) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    return %6 : tensor<2x3x4xf32>
  }
}
