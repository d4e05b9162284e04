// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_19"}) {
    %1 = "aten.gelu.out"(%arg0) <{approximate = "none"}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:21 aten::gelu.out")
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_19"}) {
    %1 = "tosa.const"() <{values = dense<"0xF304353F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:21 aten::gelu.out")
    %2 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("forward:21 aten::gelu.out")
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:21 aten::gelu.out")
    %4 = "tosa.erf"(%3) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:21 aten::gelu.out")
    %5 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:21 aten::gelu.out")
    %6 = "tosa.mul"(%arg0, %5, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:21 aten::gelu.out")
    %7 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:21 aten::gelu.out")
    %8 = "tosa.add"(%4, %7) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:21 aten::gelu.out")
    %9 = "tosa.mul"(%6, %8, %2) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:21 aten::gelu.out")
    return %9 : tensor<2x3x4xf32>
  }
}
