// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.stablehlo_cbrt"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_CBRT 't1'")
    return %1 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_CBRT 't1'")
    %2 = "tosa.const"() <{values = dense<"0xABAAAA3E"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 STABLEHLO_CBRT 't1'")
    %3 = "tosa.pow"(%1, %2) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_CBRT 't1'")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 STABLEHLO_CBRT 't1'")
    %5 = "tosa.greater"(%4, %arg0) : (tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_CBRT 't1'")
    %6 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("main:0 STABLEHLO_CBRT 't1'")
    %7 = "tosa.negate"(%3, %6, %6) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_CBRT 't1'")
    %8 = "tosa.select"(%5, %7, %3) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_CBRT 't1'")
    return %8 : tensor<2x3xf32>
  }
}
