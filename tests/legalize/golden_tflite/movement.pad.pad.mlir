// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<3x5x8xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 0, 0, 2, 3, 1]> : tensor<6xindex>}> : () -> !tosa.shape<6>
    %2 = "tosa.const"() <{values = dense<[true]> : tensor<1xi1>}> : () -> tensor<1xi1>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<2x3x4xi1>, !tosa.shape<6>, tensor<1xi1>) -> tensor<3x5x8xi1>
    return %3 : tensor<3x5x8xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<3x5x8xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[1, 0], [0, 2], [3, 1]]> : tensor<3x2xi32>}> : () -> tensor<3x2xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<[true]> : tensor<1xi1>}> : () -> tensor<1xi1>
    %3 = "tfl.padv2"(%arg0, %1, %2) : (tensor<2x3x4xi1>, tensor<3x2xi32>, tensor<1xi1>) -> tensor<3x5x8xi1>
    return %3 : tensor<3x5x8xi1>
  }
}
