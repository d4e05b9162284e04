// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_remainder"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %3 = "tosa.greater"(%2, %arg0) : (tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %4 = "tosa.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %5 = "tosa.abs"(%arg1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %6 = "tosa.reciprocal"(%5) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %7 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.mul"(%4, %6, %7) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    %9 = "tosa.floor"(%8) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %10 = "tosa.mul"(%9, %5, %7) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    %11 = "tosa.sub"(%4, %10) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %12 = "tosa.greater"(%2, %11) : (tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %13 = "tosa.add"(%11, %5) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %14 = "tosa.select"(%12, %13, %11) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %15 = "tosa.greater_equal"(%14, %5) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %16 = "tosa.sub"(%14, %5) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %17 = "tosa.select"(%15, %16, %14) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %18 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %19 = "tosa.negate"(%17, %18, %18) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
    %20 = "tosa.select"(%3, %19, %17) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %20 : tensor<2x3xf32>
  }
}
