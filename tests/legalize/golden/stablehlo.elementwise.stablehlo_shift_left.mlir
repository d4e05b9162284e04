// before
module {
  func.func @"main"(%arg0: tensor<2x3xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xi32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_shift_left"(%arg0, %arg1) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    return %2 : tensor<2x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xi32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[[32]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %3 = "tosa.greater"(%2, %arg1) : (tensor<1x1xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %4 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %5 = "tosa.greater_equal"(%arg1, %4) : (tensor<2x3xi32>, tensor<1x1xi32>) -> tensor<2x3xi1>
    %6 = "tosa.logical_and"(%3, %5) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %7 = "tosa.select"(%6, %arg1, %4) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<1x1xi32>) -> tensor<2x3xi32>
    %8 = "tosa.logical_left_shift"(%arg0, %7) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %9 = "tosa.select"(%6, %8, %4) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<1x1xi32>) -> tensor<2x3xi32>
    return %9 : tensor<2x3xi32>
  }
}
