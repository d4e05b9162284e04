// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_2"}) {
    %1 = "aten.sinh.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_2"}) {
    %1 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %2 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:8 aten::sinh.out")
    %3 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("forward:8 aten::sinh.out")
    %4 = "tosa.mul"(%1, %2, %3) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %5 = "tosa.exp"(%4) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %6 = "tosa.mul"(%5, %2, %3) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %7 = "tosa.mul"(%6, %5, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %8 = "tosa.reciprocal"(%5) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %9 = "tosa.mul"(%8, %2, %3) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %10 = "tosa.mul"(%9, %8, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %11 = "tosa.sub"(%7, %10) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %12 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:8 aten::sinh.out")
    %13 = "tosa.greater"(%12, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1> loc("forward:8 aten::sinh.out")
    %14 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("forward:8 aten::sinh.out")
    %15 = "tosa.negate"(%11, %14, %14) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %16 = "tosa.select"(%13, %15, %11) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %17 = "tosa.mul"(%arg0, %arg0, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %18 = "tosa.const"() <{values = dense<"0x010D5039"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:8 aten::sinh.out")
    %19 = "tosa.mul"(%18, %17, %3) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %20 = "tosa.const"() <{values = dense<"0x8988083C"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:8 aten::sinh.out")
    %21 = "tosa.add"(%19, %20) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %22 = "tosa.mul"(%21, %17, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %23 = "tosa.const"() <{values = dense<"0xABAA2A3E"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:8 aten::sinh.out")
    %24 = "tosa.add"(%22, %23) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %25 = "tosa.mul"(%24, %17, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %26 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:8 aten::sinh.out")
    %27 = "tosa.add"(%25, %26) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %28 = "tosa.mul"(%27, %arg0, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %29 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    %30 = "tosa.const"() <{values = dense<"0x0000803E"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:8 aten::sinh.out")
    %31 = "tosa.greater"(%30, %29) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1> loc("forward:8 aten::sinh.out")
    %32 = "tosa.select"(%31, %28, %16) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:8 aten::sinh.out")
    return %32 : tensor<2x3x4xf32>
  }
}
