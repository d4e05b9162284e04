// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 1 : i32}> : (tensor<2x3x4xi1>) -> tensor<2x3x4xi1>
    return %1 : tensor<2x3x4xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.reverse_v2"(%arg0, %1) : (tensor<2x3x4xi1>, tensor<1xi32>) -> tensor<2x3x4xi1>
    return %2 : tensor<2x3x4xi1>
  }
}
