// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_remainder"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %3 = "tosa.abs"(%arg1) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %4 = "tosa.reciprocal"(%3) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %5 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %6 = "tosa.mul"(%2, %4, %5) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1xi8>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %7 = "tosa.floor"(%6) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %8 = "tosa.mul"(%7, %3, %5) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1xi8>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %9 = "tosa.sub"(%2, %8) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %10 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %11 = "tosa.greater"(%10, %9) : (tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %12 = "tosa.add"(%9, %3) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %13 = "tosa.select"(%11, %12, %9) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %14 = "tosa.greater_equal"(%13, %3) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %15 = "tosa.sub"(%13, %3) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %16 = "tosa.select"(%14, %15, %13) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %17 = "tosa.greater"(%10, %arg0) : (tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %18 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %19 = "tosa.negate"(%16, %18, %18) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    %20 = "tosa.select"(%17, %19, %16) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_REMAINDER 't2'")
    return %20 : tensor<2x3xf32>
  }
}
