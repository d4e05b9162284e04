// before
module {
  func.func @"main"(%arg0: tensor<1x2x17x17xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x17x17xi1> {tosa.tensor_name = ""}) {
    %1 = "aten.eq.Scalar_out"(%arg0) <{other = 0xFF800000 : f32}> : (tensor<1x2x17x17xf32>) -> tensor<1x2x17x17xi1>
    return %1 : tensor<1x2x17x17xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x17x17xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x17x17xi1> {tosa.tensor_name = ""}) {
    %1 = "tosa.const"() <{values = dense<[[[[-inf]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %2 = "tosa.equal"(%arg0, %1) : (tensor<1x2x17x17xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x17x17xi1>
    return %2 : tensor<1x2x17x17xi1>
  }
}
