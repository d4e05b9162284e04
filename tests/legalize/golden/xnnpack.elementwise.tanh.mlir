// before
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.tanh"(%arg0) <{flags = 0 : i64}> : (tensor<3x9xf32>) -> tensor<3x9xf32>
    return %1 : tensor<3x9xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.tanh"(%arg0) : (tensor<3x9xf32>) -> tensor<3x9xf32>
    return %1 : tensor<3x9xf32>
  }
}
