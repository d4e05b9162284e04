// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_5"}) {
    %1 = "aten.pow.Scalar_out"(%arg0) <{self = 0x40000000 : f32}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:11 aten::pow.Scalar_out")
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_5"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:11 aten::pow.Scalar_out")
    %2 = "tosa.equal"(%1, %arg0) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1> loc("forward:11 aten::pow.Scalar_out")
    %3 = "tosa.const"() <{values = dense<[[[true]]]> : tensor<1x1x1xi1>}> : () -> tensor<1x1x1xi1> loc("forward:11 aten::pow.Scalar_out")
    %4 = "tosa.logical_and"(%3, %2) : (tensor<1x1x1xi1>, tensor<2x3x4xi1>) -> tensor<2x3x4xi1> loc("forward:11 aten::pow.Scalar_out")
    %5 = "tosa.const"() <{values = dense<"0x1872313F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:11 aten::pow.Scalar_out")
    %6 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("forward:11 aten::pow.Scalar_out")
    %7 = "tosa.mul"(%5, %arg0, %6) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:11 aten::pow.Scalar_out")
    %8 = "tosa.exp"(%7) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:11 aten::pow.Scalar_out")
    %9 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:11 aten::pow.Scalar_out")
    %10 = "tosa.pow"(%9, %1) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:11 aten::pow.Scalar_out")
    %11 = "tosa.select"(%4, %10, %8) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:11 aten::pow.Scalar_out")
    %12 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:11 aten::pow.Scalar_out")
    %13 = "tosa.equal"(%arg0, %12) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1> loc("forward:11 aten::pow.Scalar_out")
    %14 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:11 aten::pow.Scalar_out")
    %15 = "tosa.select"(%13, %14, %11) : (tensor<2x3x4xi1>, tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:11 aten::pow.Scalar_out")
    return %15 : tensor<2x3x4xf32>
  }
}
