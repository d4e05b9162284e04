// before
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.elu"(%arg0) <{alpha = 0x3F400000 : f32, flags = 0 : i64}> : (tensor<3x9xf32>) -> tensor<3x9xf32>
    return %1 : tensor<3x9xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %2 = "tosa.greater"(%1, %arg0) : (tensor<1x1xf32>, tensor<3x9xf32>) -> tensor<3x9xi1>
    %3 = "tosa.exp"(%arg0) : (tensor<3x9xf32>) -> tensor<3x9xf32>
    %4 = "tosa.const"() <{values = dense<[[1.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %5 = "tosa.sub"(%3, %4) : (tensor<3x9xf32>, tensor<1x1xf32>) -> tensor<3x9xf32>
    %6 = "tosa.const"() <{values = dense<[[0.75]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %7 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.mul"(%5, %6, %7) : (tensor<3x9xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<3x9xf32>
    %9 = "tosa.select"(%2, %8, %arg0) : (tensor<3x9xi1>, tensor<3x9xf32>, tensor<3x9xf32>) -> tensor<3x9xf32>
    return %9 : tensor<3x9xf32>
  }
}
