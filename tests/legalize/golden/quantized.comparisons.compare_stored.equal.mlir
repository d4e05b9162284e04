// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.equal"(%arg0, %arg1) : (tensor<1x4x4x2xi16>, tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi1>
    return %2 : tensor<1x4x4x2xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %3 = "tosa.cast"(%arg1) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %4 = "tosa.equal"(%2, %3) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi1>
    return %4 : tensor<1x4x4x2xi1>
  }
}
