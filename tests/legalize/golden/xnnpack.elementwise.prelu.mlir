// before
module {
  func.func @"main"(%arg0: tensor<4x24xf32> {tosa.tensor_name = "v0"}) -> (tensor<4x24xf32> {tosa.tensor_name = "v2"}) {
    %1 = "xnn.const"() <{values = dense_resource<__elided__> : tensor<24xf32>}> : () -> tensor<24xf32> loc("value 1")
    %2 = "xnn.prelu"(%arg0, %1) <{flags = 0 : i64}> : (tensor<4x24xf32>, tensor<24xf32>) -> tensor<4x24xf32> loc("main:0 XNNPReLU handle 0")
    return %2 : tensor<4x24xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xf32> {tosa.tensor_name = "v0"}) -> (tensor<4x24xf32> {tosa.tensor_name = "v2"}) {
    %1 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x24xf32>}> : () -> tensor<1x24xf32> loc("main:0 XNNPReLU handle 0")
    %2 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNPReLU handle 0")
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<4x24xf32>, tensor<1x24xf32>, tensor<1xi8>) -> tensor<4x24xf32> loc("main:0 XNNPReLU handle 0")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNPReLU handle 0")
    %5 = "tosa.greater_equal"(%arg0, %4) : (tensor<4x24xf32>, tensor<1x1xf32>) -> tensor<4x24xi1> loc("main:0 XNNPReLU handle 0")
    %6 = "tosa.select"(%5, %arg0, %3) : (tensor<4x24xi1>, tensor<4x24xf32>, tensor<4x24xf32>) -> tensor<4x24xf32> loc("main:0 XNNPReLU handle 0")
    return %6 : tensor<4x24xf32>
  }
}
