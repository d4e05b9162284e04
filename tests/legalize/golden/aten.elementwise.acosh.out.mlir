// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_9"}) {
    %1 = "aten.acosh.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_9"}) {
    %1 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %2 = "tosa.add"(%arg0, %1) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %3 = "tosa.const"() <{values = dense<[[[0.5]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.mul"(%2, %3, %4) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %6 = "tosa.rsqrt"(%5) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %7 = "tosa.reciprocal"(%6) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %8 = "tosa.sub"(%arg0, %1) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %9 = "tosa.mul"(%8, %3, %4) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %10 = "tosa.rsqrt"(%9) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %11 = "tosa.reciprocal"(%10) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %12 = "tosa.add"(%7, %11) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %13 = "tosa.log"(%12) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %14 = "tosa.const"() <{values = dense<[[[2.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %15 = "tosa.mul"(%13, %14, %4) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    return %15 : tensor<2x3x4xf32>
  }
}
