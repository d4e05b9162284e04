// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<4x2x3xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 2, 0, 1>}> : (tensor<2x3x4xi1>) -> tensor<4x2x3xi1>
    return %1 : tensor<4x2x3xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<4x2x3xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[2, 0, 1]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %2 = "tfl.transpose"(%arg0, %1) : (tensor<2x3x4xi1>, tensor<3xi32>) -> tensor<4x2x3xi1>
    return %2 : tensor<4x2x3xi1>
  }
}
