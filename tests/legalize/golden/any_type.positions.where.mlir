// before
module {
  func.func @"main"() -> (tensor<2x1xi64> {tosa.tensor_name = "t1"}) {
    %0 = "tfl.pseudo_const"() <{values = dense<[true, false, true]> : tensor<3xi1>}> : () -> tensor<3xi1>
    %1 = "tfl.where"(%0) : (tensor<3xi1>) -> tensor<2x1xi64>
    return %1 : tensor<2x1xi64>
  }
}
// after
module {
  func.func @"main"() -> (tensor<2x1xi32> {tosa.tensor_name = "t1"}) {
    %0 = "tosa.const"() <{values = dense<[[0], [2]]> : tensor<2x1xi32>}> : () -> tensor<2x1xi32>
    return %0 : tensor<2x1xi32>
  }
}
