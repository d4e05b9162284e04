// before
module {
  func.func @"main"(%arg0: tensor<2x3xi1> {tosa.tensor_name = "x"}) -> (tensor<2x3xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 0 : i32}> : (tensor<2x3xi1>) -> tensor<2x3xi1>
    %2 = "tosa.logical_not"(%1) : (tensor<2x3xi1>) -> tensor<2x3xi1>
    %3 = "tosa.logical_not"(%2) : (tensor<2x3xi1>) -> tensor<2x3xi1>
    return %3 : tensor<2x3xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi1> {tosa.tensor_name = "x"}) -> (tensor<2x3xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 0 : i32}> : (tensor<2x3xi1>) -> tensor<2x3xi1>
    return %1 : tensor<2x3xi1>
  }
}
