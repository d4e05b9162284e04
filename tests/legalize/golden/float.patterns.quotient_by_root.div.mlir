// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %2 = "tfl.sqrt"(%arg1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %3 = "tfl.div"(%arg0, %2) <{fused_activation_function = "NONE"}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %3 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %2 = "tosa.rsqrt"(%arg1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%arg0, %2, %3) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    return %4 : tensor<2x3xf32>
  }
}
