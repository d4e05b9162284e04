// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_5"}) {
    %1 = "aten.pow.Scalar_out"(%arg0) <{self = 0x40000000 : f32}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_5"}) {
    %1 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %2 = "tosa.equal"(%arg0, %1) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %3 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %4 = "tosa.const"() <{values = dense<[[[true]]]> : tensor<1x1x1xi1>}> : () -> tensor<1x1x1xi1>
    %5 = "tosa.clamp"(%arg0) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %6 = "tosa.equal"(%5, %arg0) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %7 = "tosa.logical_and"(%4, %6) : (tensor<1x1x1xi1>, tensor<2x3x4xi1>) -> tensor<2x3x4xi1>
    %8 = "tosa.const"() <{values = dense<[[[2.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %9 = "tosa.pow"(%8, %5) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %10 = "tosa.const"() <{values = dense<[[[0.6931471824645996]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %11 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.mul"(%10, %arg0, %11) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %13 = "tosa.exp"(%12) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %14 = "tosa.select"(%7, %9, %13) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %15 = "tosa.select"(%2, %3, %14) : (tensor<2x3x4xi1>, tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %15 : tensor<2x3x4xf32>
  }
}
