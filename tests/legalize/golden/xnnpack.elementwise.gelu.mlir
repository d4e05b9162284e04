// before
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.gelu"(%arg0) <{flags = 0 : i64}> : (tensor<3x9xf32>) -> tensor<3x9xf32>
    return %1 : tensor<3x9xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<[[0.5]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<3x9xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<3x9xf32>
    %4 = "tosa.const"() <{values = dense<[[0.7071067690849304]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %5 = "tosa.mul"(%arg0, %4, %2) : (tensor<3x9xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<3x9xf32>
    %6 = "tosa.erf"(%5) : (tensor<3x9xf32>) -> tensor<3x9xf32>
    %7 = "tosa.const"() <{values = dense<[[1.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %8 = "tosa.add"(%6, %7) : (tensor<3x9xf32>, tensor<1x1xf32>) -> tensor<3x9xf32>
    %9 = "tosa.mul"(%3, %8, %2) : (tensor<3x9xf32>, tensor<3x9xf32>, tensor<1xi8>) -> tensor<3x9xf32>
    return %9 : tensor<3x9xf32>
  }
}
