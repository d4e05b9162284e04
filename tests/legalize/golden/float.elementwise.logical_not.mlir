// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi1> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.logical_not"(%arg0) : (tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi1>
    return %1 : tensor<1x4x4x2xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi1> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.logical_not"(%arg0) : (tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi1>
    return %1 : tensor<1x4x4x2xi1>
  }
}
