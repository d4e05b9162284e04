// before
module {
  func.func @"main"() -> (tensor<2x3xi32> {tosa.tensor_name = "t0"}) {
    %0 = "tfl.stablehlo_iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<2x3xi32> {tosa.tensor_name = "t0"}) {
    %0 = "tosa.const"() <{values = dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
}
