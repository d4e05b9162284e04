// before
module {
  func.func @"main"(%arg0: tensor<2x3xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xi32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_shift_left"(%arg0, %arg1) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32> loc("main:0 STABLEHLO_SHIFT_LEFT 't2'")
    return %2 : tensor<2x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xi32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<"0x20000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 STABLEHLO_SHIFT_LEFT 't2'")
    %3 = "tosa.greater"(%2, %arg1) : (tensor<1x1xi32>, tensor<2x3xi32>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_SHIFT_LEFT 't2'")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 STABLEHLO_SHIFT_LEFT 't2'")
    %5 = "tosa.greater_equal"(%arg1, %4) : (tensor<2x3xi32>, tensor<1x1xi32>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_SHIFT_LEFT 't2'")
    %6 = "tosa.logical_and"(%3, %5) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_SHIFT_LEFT 't2'")
    %7 = "tosa.select"(%6, %arg1, %4) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<1x1xi32>) -> tensor<2x3xi32> loc("main:0 STABLEHLO_SHIFT_LEFT 't2'")
    %8 = "tosa.logical_left_shift"(%arg0, %7) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32> loc("main:0 STABLEHLO_SHIFT_LEFT 't2'")
    %9 = "tosa.select"(%6, %8, %4) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<1x1xi32>) -> tensor<2x3xi32> loc("main:0 STABLEHLO_SHIFT_LEFT 't2'")
    return %9 : tensor<2x3xi32>
  }
}
