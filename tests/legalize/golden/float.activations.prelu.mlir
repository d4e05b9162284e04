// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x0000803E0000003E"> : tensor<1x1x2xf32>}> : () -> tensor<1x1x2xf32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.prelu"(%arg0, %1) : (tensor<1x4x4x2xf32>, tensor<1x1x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 PRELU 't2'")
    return %2 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<"0x0000803E0000003E"> : tensor<1x1x1x2xf32>}> : () -> tensor<1x1x1x2xf32> loc("main:0 PRELU 't2'")
    %2 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 PRELU 't2'")
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32> loc("main:0 PRELU 't2'")
    %4 = "tosa.maximum"(%arg0, %3) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 PRELU 't2'")
    return %4 : tensor<1x4x4x2xf32>
  }
}
