// before
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.elu"(%arg0) <{alpha = 0x3F400000 : f32, flags = 0 : i64}> : (tensor<3x9xf32>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    return %1 : tensor<3x9xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.exp"(%arg0) : (tensor<3x9xf32>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %2 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNELU handle 0")
    %3 = "tosa.sub"(%1, %2) : (tensor<3x9xf32>, tensor<1x1xf32>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %4 = "tosa.const"() <{values = dense<"0x0000403F"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNELU handle 0")
    %5 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNELU handle 0")
    %6 = "tosa.mul"(%3, %4, %5) : (tensor<3x9xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %7 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNELU handle 0")
    %8 = "tosa.greater"(%7, %arg0) : (tensor<1x1xf32>, tensor<3x9xf32>) -> tensor<3x9xi1> loc("main:0 XNNELU handle 0")
    %9 = "tosa.select"(%8, %6, %arg0) : (tensor<3x9xi1>, tensor<3x9xf32>, tensor<3x9xf32>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    return %9 : tensor<3x9xf32>
  }
}
