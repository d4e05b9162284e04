// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<2x9x8xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 3, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.tile"(%arg0, %1) : (tensor<2x3x4xi1>, !tosa.shape<3>) -> tensor<2x9x8xi1>
    return %2 : tensor<2x9x8xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<2x9x8xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 3, 2]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %2 = "tfl.tile"(%arg0, %1) : (tensor<2x3x4xi1>, tensor<3xi32>) -> tensor<2x9x8xi1>
    return %2 : tensor<2x9x8xi1>
  }
}
