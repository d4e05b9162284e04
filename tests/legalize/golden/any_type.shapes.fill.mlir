// before
module {
  func.func @"main"() -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %0 = "tfl.pseudo_const"() <{values = dense<[2, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %1 = "tfl.pseudo_const"() <{values = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %2 = "tfl.fill"(%0, %1) : (tensor<2xi32>, tensor<f32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %0 = "tosa.const"() <{values = dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
