// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.stablehlo_convert"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xi32>
    return %1 : tensor<2x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %2 = "tosa.greater_equal"(%arg0, %1) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xi1>
    %3 = "tosa.floor"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %4 = "tosa.ceil"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %5 = "tosa.select"(%2, %3, %4) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %6 = "tosa.cast"(%5) : (tensor<2x3xf32>) -> tensor<2x3xi32>
    return %6 : tensor<2x3xi32>
  }
}
