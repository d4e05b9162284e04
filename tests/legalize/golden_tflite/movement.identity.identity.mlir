// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.identity"(%arg0) : (tensor<2x3x4xi1>) -> tensor<2x3x4xi1>
    return %1 : tensor<2x3x4xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[2, 3, 4]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %2 = "tfl.reshape"(%arg0, %1) <{new_shape = array<i64: 2, 3, 4>}> : (tensor<2x3x4xi1>, tensor<3xi32>) -> tensor<2x3x4xi1>
    return %2 : tensor<2x3x4xi1>
  }
}
