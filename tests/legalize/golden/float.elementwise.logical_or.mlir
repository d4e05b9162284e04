// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi1> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi1> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.logical_or"(%arg0, %arg1) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi1>
    return %2 : tensor<1x4x4x2xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi1> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi1> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.logical_or"(%arg0, %arg1) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi1>
    return %2 : tensor<1x4x4x2xi1>
  }
}
