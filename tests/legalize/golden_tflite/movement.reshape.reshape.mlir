// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<4x1x6xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[4, 1, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3x4xi1>, !tosa.shape<3>) -> tensor<4x1x6xi1>
    return %2 : tensor<4x1x6xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<4x1x6xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[4, 1, 6]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %2 = "tfl.reshape"(%arg0, %1) <{new_shape = array<i64: 4, 1, 6>}> : (tensor<2x3x4xi1>, tensor<3xi32>) -> tensor<4x1x6xi1>
    return %2 : tensor<4x1x6xi1>
  }
}
