// before
module {
  func.func @"main"(%arg0: tensor<2x3xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xi32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_or"(%arg0, %arg1) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    return %2 : tensor<2x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xi32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.bitwise_or"(%arg0, %arg1) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    return %2 : tensor<2x3xi32>
  }
}
