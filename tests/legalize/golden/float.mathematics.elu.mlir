// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.elu"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    return %1 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.exp"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    %2 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 ELU 't1'")
    %3 = "tosa.sub"(%1, %2) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 ELU 't1'")
    %5 = "tosa.greater"(%4, %arg0) : (tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1> loc("main:0 ELU 't1'")
    %6 = "tosa.select"(%5, %3, %arg0) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    return %6 : tensor<1x4x4x2xf32>
  }
}
