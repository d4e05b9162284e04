// before
module {
  func.func @"main"() -> (tensor<1xf32> {tosa.tensor_name = "t1"}, tensor<3xi32> {tosa.tensor_name = "t2"}) {
    %0 = "tfl.pseudo_const"() <{values = dense<"0x0000803F0000803F0000803F"> : tensor<3xf32>}> : () -> tensor<3xf32> loc("Model.subgraphs[0].tensors[0]")
    %1, %2 = "tfl.unique"(%0) <{idx_out_type = "INT32"}> : (tensor<3xf32>) -> (tensor<1xf32>, tensor<3xi32>) loc("main:0 UNIQUE 't1'")
    return %1, %2 : tensor<1xf32>, tensor<3xi32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<1xf32> {tosa.tensor_name = "t1"}, tensor<3xi32> {tosa.tensor_name = "t2"}) {
    %0 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("output")
    %1 = "tosa.const"() <{values = dense<"0x000000000000000000000000"> : tensor<3xi32>}> : () -> tensor<3xi32> loc("output")
    return %0, %1 : tensor<1xf32>, tensor<3xi32>
  }
}
