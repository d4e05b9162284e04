// before
module {
  func.func @"main"(%arg0: tensor<2x3xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi16> {tosa.tensor_name = "t1"}) -> (tensor<2x3xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.not_equal"(%arg0, %arg1) : (tensor<2x3xi16>, tensor<2x3xi16>) -> tensor<2x3xi1>
    return %2 : tensor<2x3xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi16> {tosa.tensor_name = "t1"}) -> (tensor<2x3xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.cast"(%arg0) : (tensor<2x3xi16>) -> tensor<2x3xi32>
    %3 = "tosa.cast"(%arg1) : (tensor<2x3xi16>) -> tensor<2x3xi32>
    %4 = "tosa.equal"(%2, %3) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %5 = "tosa.logical_not"(%4) : (tensor<2x3xi1>) -> tensor<2x3xi1>
    return %5 : tensor<2x3xi1>
  }
}
