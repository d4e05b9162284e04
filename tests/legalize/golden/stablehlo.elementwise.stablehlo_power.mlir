// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_power"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %3 = "tosa.equal"(%arg0, %2) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xi1>
    %4 = "tosa.greater"(%arg1, %2) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xi1>
    %5 = "tosa.equal"(%arg1, %2) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xi1>
    %6 = "tosa.const"() <{values = dense<[[1.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %7 = "tosa.const"() <{values = dense<[[inf]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %8 = "tosa.select"(%5, %6, %7) : (tensor<2x3xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
    %9 = "tosa.select"(%4, %2, %8) : (tensor<2x3xi1>, tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %10 = "tosa.greater"(%2, %arg0) : (tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %11 = "tosa.floor"(%arg1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %12 = "tosa.equal"(%11, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %13 = "tosa.const"() <{values = dense<[[0.5]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %14 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = "tosa.mul"(%arg1, %13, %14) : (tensor<2x3xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    %16 = "tosa.floor"(%15) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %17 = "tosa.equal"(%16, %15) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %18 = "tosa.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %19 = "tosa.select"(%3, %6, %18) : (tensor<2x3xi1>, tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %20 = "tosa.pow"(%19, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %21 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %22 = "tosa.negate"(%20, %21, %21) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
    %23 = "tosa.select"(%17, %20, %22) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %24 = "tosa.const"() <{values = dense<[[nan]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %25 = "tosa.select"(%12, %23, %24) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
    %26 = "tosa.select"(%10, %25, %20) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %27 = "tosa.select"(%3, %9, %26) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %27 : tensor<2x3xf32>
  }
}
