// before
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.gelu"(%arg0) <{flags = 0 : i64}> : (tensor<3x9xf32>) -> tensor<3x9xf32> loc("main:0 XNNGelu handle 0")
    return %1 : tensor<3x9xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<"0xF304353F"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNGelu handle 0")
    %2 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNGelu handle 0")
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<3x9xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<3x9xf32> loc("main:0 XNNGelu handle 0")
    %4 = "tosa.erf"(%3) : (tensor<3x9xf32>) -> tensor<3x9xf32> loc("main:0 XNNGelu handle 0")
    %5 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNGelu handle 0")
    %6 = "tosa.mul"(%arg0, %5, %2) : (tensor<3x9xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<3x9xf32> loc("main:0 XNNGelu handle 0")
    %7 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNGelu handle 0")
    %8 = "tosa.add"(%4, %7) : (tensor<3x9xf32>, tensor<1x1xf32>) -> tensor<3x9xf32> loc("main:0 XNNGelu handle 0")
    %9 = "tosa.mul"(%6, %8, %2) : (tensor<3x9xf32>, tensor<3x9xf32>, tensor<1xi8>) -> tensor<3x9xf32> loc("main:0 XNNGelu handle 0")
    return %9 : tensor<3x9xf32>
  }
}
