// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_compare"(%arg0, %arg1) <{comparison_direction = "STABLEHLO_COMPARISON_DIRECTION_LT", compare_type = "STABLEHLO_COMPARISON_TYPE_NOTYPE"}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    return %2 : tensor<2x3xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.greater"(%arg1, %arg0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    return %2 : tensor<2x3xi1>
  }
}
