// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.sign"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 SIGN 't1'")
    return %1 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 SIGN 't1'")
    %2 = "tosa.greater"(%1, %arg0) : (tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1> loc("main:0 SIGN 't1'")
    %3 = "tosa.const"() <{values = dense<"0x000080BF"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 SIGN 't1'")
    %4 = "tosa.select"(%2, %3, %arg0) : (tensor<1x4x4x2xi1>, tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 SIGN 't1'")
    %5 = "tosa.greater"(%arg0, %1) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xi1> loc("main:0 SIGN 't1'")
    %6 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 SIGN 't1'")
    %7 = "tosa.select"(%5, %6, %4) : (tensor<1x4x4x2xi1>, tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 SIGN 't1'")
    return %7 : tensor<1x4x4x2xf32>
  }
}
