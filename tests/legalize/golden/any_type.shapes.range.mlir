// before
module {
  func.func @"main"() -> (tensor<5xi32> {tosa.tensor_name = "t3"}) {
    %0 = "tfl.pseudo_const"() <{values = dense<"0x00000000"> : tensor<i32>}> : () -> tensor<i32> loc("Model.subgraphs[0].tensors[0]")
    %1 = "tfl.pseudo_const"() <{values = dense<"0x05000000"> : tensor<i32>}> : () -> tensor<i32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x01000000"> : tensor<i32>}> : () -> tensor<i32> loc("Model.subgraphs[0].tensors[2]")
    %3 = "tfl.range"(%0, %1, %2) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5xi32> loc("main:0 RANGE 't3'")
    return %3 : tensor<5xi32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<5xi32> {tosa.tensor_name = "t3"}) {
    %0 = "tosa.const"() <{values = dense<"0x0000000001000000020000000300000004000000"> : tensor<5xi32>}> : () -> tensor<5xi32> loc("output")
    return %0 : tensor<5xi32>
  }
}
