// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_10"}) {
    %1 = "aten.sign.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:12 aten::sign.out")
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_10"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:12 aten::sign.out")
    %2 = "tosa.greater"(%1, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1> loc("forward:12 aten::sign.out")
    %3 = "tosa.const"() <{values = dense<"0x000080BF"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:12 aten::sign.out")
    %4 = "tosa.select"(%2, %3, %arg0) : (tensor<2x3x4xi1>, tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:12 aten::sign.out")
    %5 = "tosa.greater"(%arg0, %1) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1> loc("forward:12 aten::sign.out")
    %6 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:12 aten::sign.out")
    %7 = "tosa.select"(%5, %6, %4) : (tensor<2x3x4xi1>, tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:12 aten::sign.out")
    return %7 : tensor<2x3x4xf32>
  }
}
