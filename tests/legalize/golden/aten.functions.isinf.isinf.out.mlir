// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "output_12"}) {
    %1 = "aten.isinf.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xi1> loc("forward:31 aten::isinf.out")
    return %1 : tensor<2x3x4xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xi1> {tosa.tensor_name = "output_12"}) {
    %1 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:31 aten::isinf.out")
    %2 = "tosa.const"() <{values = dense<"0x0000807F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:31 aten::isinf.out")
    %3 = "tosa.equal"(%1, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1> loc("forward:31 aten::isinf.out")
    return %3 : tensor<2x3x4xi1>
  }
}
