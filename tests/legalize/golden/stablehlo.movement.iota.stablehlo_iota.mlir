// before
module {
  func.func @"main"() -> (tensor<2x3xi32> {tosa.tensor_name = "t0"}) {
    %0 = "tfl.stablehlo_iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi32> loc("main:0 STABLEHLO_IOTA 't0'")
    return %0 : tensor<2x3xi32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<2x3xi32> {tosa.tensor_name = "t0"}) {
    %0 = "tosa.const"() <{values = dense<"0x000000000100000002000000000000000100000002000000"> : tensor<2x3xi32>}> : () -> tensor<2x3xi32> loc("output")
    return %0 : tensor<2x3xi32>
  }
}
