// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2x4x5xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x5xf32> {tosa.tensor_name = ""}) {
    %2 = "aten.bmm.out"(%arg0, %arg1) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32> loc("forward:4 aten::bmm.out")
    return %2 : tensor<2x3x5xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2x4x5xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x5xf32> {tosa.tensor_name = ""}) {
    %2 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("forward:4 aten::bmm.out")
    %3 = "tosa.matmul"(%arg0, %arg1, %2, %2) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5xf32> loc("forward:4 aten::bmm.out")
    return %3 : tensor<2x3x5xf32>
  }
}
