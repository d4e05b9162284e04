// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "x"}) -> (tensor<2x3xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.negate"(%arg0, %1, %1) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
    %3 = "tosa.const"() <{values = dense<[[1.0, -2.0, 3.0]]> : tensor<1x3xf32>}> : () -> tensor<1x3xf32>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.mul"(%2, %3, %4) : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    %6 = "tosa.add"(%arg0, %5) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %6 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "x"}) -> (tensor<2x3xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[[1.0, -2.0, 3.0]]> : tensor<1x3xf32>}> : () -> tensor<1x3xf32>
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    %4 = "tosa.sub"(%arg0, %3) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %4 : tensor<2x3xf32>
  }
}
