// before
module {
  func.func @"main"(%arg0: tensor<1x2x17x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x17x8xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.mul.Scalar_out"(%arg0) <{other = 0x3F1837F0 : f32}> : (tensor<1x2x17x8xf32>) -> tensor<1x2x17x8xf32>
    return %1 : tensor<1x2x17x8xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x17x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x17x8xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const"() <{values = dense<[[[[0.5946035385131836]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<1x2x17x8xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x2x17x8xf32>
    return %3 : tensor<1x2x17x8xf32>
  }
}
