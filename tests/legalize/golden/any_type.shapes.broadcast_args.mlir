// before
module {
  func.func @"main"() -> (tensor<3xi32> {tosa.tensor_name = "t2"}) {
    %0 = "tfl.pseudo_const"() <{values = dense<[2, 1, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %1 = "tfl.pseudo_const"() <{values = dense<[4, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.broadcast_args"(%0, %1) : (tensor<3xi32>, tensor<2xi32>) -> tensor<3xi32>
    return %2 : tensor<3xi32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<3xi32> {tosa.tensor_name = "t2"}) {
    %0 = "tosa.const"() <{values = dense<[2, 4, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
    return %0 : tensor<3xi32>
  }
}
