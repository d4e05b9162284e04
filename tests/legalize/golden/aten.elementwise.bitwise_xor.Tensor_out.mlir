// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xi1> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "output_30"}) {
    %2 = "aten.bitwise_xor.Tensor_out"(%arg0, %arg1) : (tensor<2x3x4xi1>, tensor<3x4xi1>) -> tensor<2x3x4xi1>
    return %2 : tensor<2x3x4xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xi1> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "output_30"}) {
    %2 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg1, %2) : (tensor<3x4xi1>, !tosa.shape<3>) -> tensor<1x3x4xi1>
    %4 = "tosa.logical_xor"(%arg0, %3) : (tensor<2x3x4xi1>, tensor<1x3x4xi1>) -> tensor<2x3x4xi1>
    return %4 : tensor<2x3x4xi1>
  }
}
