// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.stablehlo_cbrt"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %2 = "tosa.greater"(%1, %arg0) : (tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %3 = "tosa.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %4 = "tosa.const"() <{values = dense<[[0.3333333432674408]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %5 = "tosa.pow"(%3, %4) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
    %6 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %7 = "tosa.negate"(%5, %6, %6) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
    %8 = "tosa.select"(%2, %7, %5) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %8 : tensor<2x3xf32>
  }
}
