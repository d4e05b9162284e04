// before
module {
  func.func @"main"(%arg0: tensor<2x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.expm1.out"(%arg0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const"() <{values = dense<[[0.125]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %2 = "tosa.abs"(%arg0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %3 = "tosa.greater"(%1, %2) : (tensor<1x1xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %4 = "tosa.const"() <{values = dense<[[0.0416666679084301]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.mul"(%4, %arg0, %5) : (tensor<1x1xf32>, tensor<2x4xf32>, tensor<1xi8>) -> tensor<2x4xf32>
    %7 = "tosa.const"() <{values = dense<[[0.1666666716337204]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %8 = "tosa.add"(%6, %7) : (tensor<2x4xf32>, tensor<1x1xf32>) -> tensor<2x4xf32>
    %9 = "tosa.mul"(%8, %arg0, %5) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<1xi8>) -> tensor<2x4xf32>
    %10 = "tosa.const"() <{values = dense<[[0.5]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %11 = "tosa.add"(%9, %10) : (tensor<2x4xf32>, tensor<1x1xf32>) -> tensor<2x4xf32>
    %12 = "tosa.mul"(%11, %arg0, %5) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<1xi8>) -> tensor<2x4xf32>
    %13 = "tosa.const"() <{values = dense<[[1.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %14 = "tosa.add"(%12, %13) : (tensor<2x4xf32>, tensor<1x1xf32>) -> tensor<2x4xf32>
    %15 = "tosa.mul"(%14, %arg0, %5) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<1xi8>) -> tensor<2x4xf32>
    %16 = "tosa.exp"(%arg0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %17 = "tosa.sub"(%16, %13) : (tensor<2x4xf32>, tensor<1x1xf32>) -> tensor<2x4xf32>
    %18 = "tosa.select"(%3, %15, %17) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    return %18 : tensor<2x4xf32>
  }
}
