// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "v0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "v2"}) {
    %1 = "xnn.const"() <{values = dense<"0x000020410000A0410000F041"> : tensor<3xf32>}> : () -> tensor<3xf32> loc("value 1")
    %2 = "xnn.add"(%arg0, %1) <{flags = 0 : i64}> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32> loc("main:0 XNNAdd handle 7")
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "v0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "v2"}) {
    %1 = "tosa.const"() <{values = dense<"0x000020410000A0410000F041"> : tensor<1x3xf32>}> : () -> tensor<1x3xf32> loc("main:0 XNNAdd handle 7")
    %2 = "tosa.add"(%arg0, %1) : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32> loc("main:0 XNNAdd handle 7")
    return %2 : tensor<2x3xf32>
  }
}
