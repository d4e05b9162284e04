// before
module {
  func.func @"main"(%arg0: tensor<1x32x3xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x32x3xi1> {tosa.tensor_name = ""}) {
    %1 = "aten.gt.Scalar_out"(%arg0) <{other = 0x3F000000 : f32}> : (tensor<1x32x3xf32>) -> tensor<1x32x3xi1>
    return %1 : tensor<1x32x3xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x32x3xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x32x3xi1> {tosa.tensor_name = ""}) {
    %1 = "tosa.const"() <{values = dense<[[[0.5]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %2 = "tosa.greater"(%arg0, %1) : (tensor<1x32x3xf32>, tensor<1x1x1xf32>) -> tensor<1x32x3xi1>
    return %2 : tensor<1x32x3xi1>
  }
}
