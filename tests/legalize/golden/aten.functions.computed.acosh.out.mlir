// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_9"}) {
    %1 = "aten.acosh.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:25 aten::acosh.out")
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_9"}) {
    %1 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:25 aten::acosh.out")
    %2 = "tosa.add"(%arg0, %1) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:25 aten::acosh.out")
    %3 = "tosa.sub"(%arg0, %1) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:25 aten::acosh.out")
    %4 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:25 aten::acosh.out")
    %5 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("forward:25 aten::acosh.out")
    %6 = "tosa.mul"(%2, %4, %5) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:25 aten::acosh.out")
    %7 = "tosa.rsqrt"(%6) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:25 aten::acosh.out")
    %8 = "tosa.reciprocal"(%7) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:25 aten::acosh.out")
    %9 = "tosa.mul"(%3, %4, %5) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:25 aten::acosh.out")
    %10 = "tosa.rsqrt"(%9) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:25 aten::acosh.out")
    %11 = "tosa.reciprocal"(%10) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:25 aten::acosh.out")
    %12 = "tosa.add"(%8, %11) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:25 aten::acosh.out")
    %13 = "tosa.log"(%12) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:25 aten::acosh.out")
    %14 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:25 aten::acosh.out")
    %15 = "tosa.mul"(%13, %14, %5) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:25 aten::acosh.out")
    return %15 : tensor<2x3x4xf32>
  }
}
