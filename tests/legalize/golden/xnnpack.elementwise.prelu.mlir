// before
module {
  func.func @"main"(%arg0: tensor<4x24xf32> {tosa.tensor_name = "v0"}) -> (tensor<4x24xf32> {tosa.tensor_name = "v2"}) {
    %1 = "xnn.const"() <{values = dense<sha256 bae17003d7356749> : tensor<24xf32>}> : () -> tensor<24xf32>
    %2 = "xnn.prelu"(%arg0, %1) <{flags = 0 : i64}> : (tensor<4x24xf32>, tensor<24xf32>) -> tensor<4x24xf32>
    return %2 : tensor<4x24xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xf32> {tosa.tensor_name = "v0"}) -> (tensor<4x24xf32> {tosa.tensor_name = "v2"}) {
    %1 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %2 = "tosa.greater_equal"(%arg0, %1) : (tensor<4x24xf32>, tensor<1x1xf32>) -> tensor<4x24xi1>
    %3 = "tosa.const"() <{values = dense<sha256 bae17003d7356749> : tensor<1x24xf32>}> : () -> tensor<1x24xf32>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.mul"(%arg0, %3, %4) : (tensor<4x24xf32>, tensor<1x24xf32>, tensor<1xi8>) -> tensor<4x24xf32>
    %6 = "tosa.select"(%2, %arg0, %5) : (tensor<4x24xi1>, tensor<4x24xf32>, tensor<4x24xf32>) -> tensor<4x24xf32>
    return %6 : tensor<4x24xf32>
  }
}
