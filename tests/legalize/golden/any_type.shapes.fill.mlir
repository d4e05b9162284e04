// before
module {
  func.func @"main"() -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %0 = "tfl.pseudo_const"() <{values = dense<"0x0200000003000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("Model.subgraphs[0].tensors[0]")
    %1 = "tfl.pseudo_const"() <{values = dense<"0x0000803F"> : tensor<f32>}> : () -> tensor<f32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.fill"(%0, %1) : (tensor<2xi32>, tensor<f32>) -> tensor<2x3xf32> loc("main:0 FILL 't2'")
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %0 = "tosa.const"() <{values = dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F"> : tensor<2x3xf32>}> : () -> tensor<2x3xf32> loc("output")
    return %0 : tensor<2x3xf32>
  }
}
