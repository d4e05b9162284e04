// before
module {
  func.func @"main"(%arg0: tensor<2x3xi1> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi1> {tosa.tensor_name = "t1"}) -> (tensor<2x3xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_and"(%arg0, %arg1) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    return %2 : tensor<2x3xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi1> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi1> {tosa.tensor_name = "t1"}) -> (tensor<2x3xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.logical_and"(%arg0, %arg1) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    return %2 : tensor<2x3xi1>
  }
}
