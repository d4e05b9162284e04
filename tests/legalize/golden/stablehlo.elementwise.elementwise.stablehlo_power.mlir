// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_power"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %3 = "tosa.equal"(%arg0, %2) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_POWER 't2'")
    %4 = "tosa.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %5 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %6 = "tosa.select"(%3, %5, %4) : (tensor<2x3xi1>, tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %7 = "tosa.pow"(%6, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %8 = "tosa.greater"(%arg1, %2) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_POWER 't2'")
    %9 = "tosa.equal"(%arg1, %2) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_POWER 't2'")
    %10 = "tosa.const"() <{values = dense<"0x0000807F"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %11 = "tosa.select"(%9, %5, %10) : (tensor<2x3xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %12 = "tosa.select"(%8, %2, %11) : (tensor<2x3xi1>, tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %13 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %14 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 STABLEHLO_POWER 't2'")
    %15 = "tosa.mul"(%arg1, %13, %14) : (tensor<2x3xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %16 = "tosa.floor"(%arg1) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %17 = "tosa.equal"(%16, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_POWER 't2'")
    %18 = "tosa.floor"(%15) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %19 = "tosa.equal"(%18, %15) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_POWER 't2'")
    %20 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %21 = "tosa.negate"(%7, %20, %20) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %22 = "tosa.select"(%19, %7, %21) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %23 = "tosa.const"() <{values = dense<"0x0000C07F"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %24 = "tosa.select"(%17, %22, %23) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %25 = "tosa.greater"(%2, %arg0) : (tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_POWER 't2'")
    %26 = "tosa.select"(%25, %24, %7) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    %27 = "tosa.select"(%3, %12, %26) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_POWER 't2'")
    return %27 : tensor<2x3xf32>
  }
}
