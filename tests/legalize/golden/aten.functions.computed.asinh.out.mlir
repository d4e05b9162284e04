// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_4"}) {
    %1 = "aten.asinh.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_4"}) {
    %1 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %2 = "tosa.clamp"(%1) <{min_val = 0x00000000 : f32, max_val = 0x5D800000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %3 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("forward:14 aten::asinh.out")
    %4 = "tosa.mul"(%2, %2, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %5 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:14 aten::asinh.out")
    %6 = "tosa.add"(%4, %5) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %7 = "tosa.rsqrt"(%6) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %8 = "tosa.reciprocal"(%7) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %9 = "tosa.add"(%2, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %10 = "tosa.log"(%9) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %11 = "tosa.log"(%1) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %12 = "tosa.const"() <{values = dense<"0x1872313F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:14 aten::asinh.out")
    %13 = "tosa.add"(%11, %12) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %14 = "tosa.const"() <{values = dense<"0x0000804E"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:14 aten::asinh.out")
    %15 = "tosa.greater"(%1, %14) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1> loc("forward:14 aten::asinh.out")
    %16 = "tosa.select"(%15, %13, %10) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %17 = "tosa.mul"(%arg0, %arg0, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %18 = "tosa.const"() <{values = dense<"0x6EDB36BD"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:14 aten::asinh.out")
    %19 = "tosa.mul"(%18, %17, %3) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %20 = "tosa.const"() <{values = dense<"0x9A99993D"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:14 aten::asinh.out")
    %21 = "tosa.add"(%19, %20) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %22 = "tosa.mul"(%21, %17, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %23 = "tosa.const"() <{values = dense<"0xABAA2ABE"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:14 aten::asinh.out")
    %24 = "tosa.add"(%22, %23) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %25 = "tosa.mul"(%24, %17, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %26 = "tosa.add"(%25, %5) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %27 = "tosa.mul"(%26, %arg0, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %28 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:14 aten::asinh.out")
    %29 = "tosa.greater"(%28, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1> loc("forward:14 aten::asinh.out")
    %30 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("forward:14 aten::asinh.out")
    %31 = "tosa.negate"(%16, %30, %30) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %32 = "tosa.select"(%29, %31, %16) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %33 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    %34 = "tosa.const"() <{values = dense<"0x0000803E"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:14 aten::asinh.out")
    %35 = "tosa.greater"(%34, %33) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1> loc("forward:14 aten::asinh.out")
    %36 = "tosa.select"(%35, %27, %32) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:14 aten::asinh.out")
    return %36 : tensor<2x3x4xf32>
  }
}
