// before
module {
  func.func @"main"(%arg0: tensor<1x2x17x17xi1> {tosa.tensor_name = "x0"}) -> (tensor<1x2x17x1xi1> {tosa.tensor_name = ""}) {
    %1 = "aten.any.out"(%arg0) <{dim = -1 : i64, keepdim = true}> : (tensor<1x2x17x17xi1>) -> tensor<1x2x17x1xi1>
    return %1 : tensor<1x2x17x1xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x17x17xi1> {tosa.tensor_name = "x0"}) -> (tensor<1x2x17x1xi1> {tosa.tensor_name = ""}) {
    %1 = "tosa.reduce_any"(%arg0) <{axis = 3 : i32}> : (tensor<1x2x17x17xi1>) -> tensor<1x2x17x1xi1>
    return %1 : tensor<1x2x17x1xi1>
  }
}
