// before
module {
  func.func @"main"() -> (tensor<3xi32> {tosa.tensor_name = "t2"}) {
    %0 = "tfl.pseudo_const"() <{values = dense<"0x020000000100000003000000"> : tensor<3xi32>}> : () -> tensor<3xi32> loc("Model.subgraphs[0].tensors[0]")
    %1 = "tfl.pseudo_const"() <{values = dense<"0x0400000001000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.broadcast_args"(%0, %1) : (tensor<3xi32>, tensor<2xi32>) -> tensor<3xi32> loc("main:0 BROADCAST_ARGS 't2'")
    return %2 : tensor<3xi32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<3xi32> {tosa.tensor_name = "t2"}) {
    %0 = "tosa.const"() <{values = dense<"0x020000000400000003000000"> : tensor<3xi32>}> : () -> tensor<3xi32> loc("output")
    return %0 : tensor<3xi32>
  }
}
