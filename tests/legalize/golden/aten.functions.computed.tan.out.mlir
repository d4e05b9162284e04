// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "aten.tan.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "tosa.const"() <{values = dense<"0x83F9223F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:2 aten::tan.out")
    %2 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("forward:2 aten::tan.out")
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %4 = "tosa.clamp"(%3) <{min_val = 0xCB000000 : f32, max_val = 0x4B000000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %5 = "tosa.cast"(%4) : (tensor<2x3x4xf32>) -> tensor<2x3x4xi32> loc("forward:2 aten::tan.out")
    %6 = "tosa.cast"(%5) : (tensor<2x3x4xi32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %7 = "tosa.equal"(%4, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1> loc("forward:2 aten::tan.out")
    %8 = "tosa.select"(%7, %6, %3) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %9 = "tosa.const"() <{values = dense<"0x0000C93F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:2 aten::tan.out")
    %10 = "tosa.mul"(%8, %9, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %11 = "tosa.sub"(%arg0, %10) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %12 = "tosa.const"() <{values = dense<"0x00A0FD39"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:2 aten::tan.out")
    %13 = "tosa.mul"(%8, %12, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %14 = "tosa.sub"(%11, %13) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %15 = "tosa.const"() <{values = dense<"0x6921A233"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:2 aten::tan.out")
    %16 = "tosa.mul"(%8, %15, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %17 = "tosa.sub"(%14, %16) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %18 = "tosa.sin"(%17) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %19 = "tosa.cos"(%17) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %20 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:2 aten::tan.out")
    %21 = "tosa.mul"(%8, %20, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %22 = "tosa.floor"(%21) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %23 = "tosa.equal"(%22, %21) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1> loc("forward:2 aten::tan.out")
    %24 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("forward:2 aten::tan.out")
    %25 = "tosa.negate"(%19, %24, %24) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %26 = "tosa.select"(%23, %18, %25) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %27 = "tosa.select"(%23, %19, %18) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %28 = "tosa.reciprocal"(%27) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    %29 = "tosa.mul"(%26, %28, %2) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:2 aten::tan.out")
    return %29 : tensor<2x3x4xf32>
  }
}
