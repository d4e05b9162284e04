// before
module {
  func.func @"main"() -> (tensor<1xf32> {tosa.tensor_name = "t1"}, tensor<3xi32> {tosa.tensor_name = "t2"}) {
    %0 = "tfl.pseudo_const"() <{values = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %1, %2 = "tfl.unique"(%0) <{idx_out_type = "INT32"}> : (tensor<3xf32>) -> (tensor<1xf32>, tensor<3xi32>)
    return %1, %2 : tensor<1xf32>, tensor<3xi32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<1xf32> {tosa.tensor_name = "t1"}, tensor<3xi32> {tosa.tensor_name = "t2"}) {
    %0 = "tosa.const"() <{values = dense<[1.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = "tosa.const"() <{values = dense<[0, 0, 0]> : tensor<3xi32>}> : () -> tensor<3xi32>
    return %0, %1 : tensor<1xf32>, tensor<3xi32>
  }
}
