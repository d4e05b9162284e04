// before
module {
  func.func @"main"(%arg0: tensor<1x2x17x17xi1> {tosa.tensor_name = "x0"}) -> (tensor<1x2x17x17xi1> {tosa.tensor_name = ""}) {
    %1 = "aten.logical_not.out"(%arg0) : (tensor<1x2x17x17xi1>) -> tensor<1x2x17x17xi1>
    return %1 : tensor<1x2x17x17xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x17x17xi1> {tosa.tensor_name = "x0"}) -> (tensor<1x2x17x17xi1> {tosa.tensor_name = ""}) {
    %1 = "tosa.logical_not"(%arg0) : (tensor<1x2x17x17xi1>) -> tensor<1x2x17x17xi1>
    return %1 : tensor<1x2x17x17xi1>
  }
}
