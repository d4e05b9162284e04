// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_8"}) {
    %1 = "aten.atanh.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_8"}) {
    %1 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:20 aten::atanh.out")
    %2 = "tosa.add"(%1, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %3 = "tosa.sub"(%1, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %4 = "tosa.reciprocal"(%3) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %5 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("forward:20 aten::atanh.out")
    %6 = "tosa.mul"(%2, %4, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %7 = "tosa.log"(%6) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %8 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:20 aten::atanh.out")
    %9 = "tosa.mul"(%7, %8, %5) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %10 = "tosa.mul"(%arg0, %arg0, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %11 = "tosa.const"() <{values = dense<"0x8C2EBA3D"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:20 aten::atanh.out")
    %12 = "tosa.mul"(%11, %10, %5) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %13 = "tosa.const"() <{values = dense<"0x398EE33D"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:20 aten::atanh.out")
    %14 = "tosa.add"(%12, %13) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %15 = "tosa.mul"(%14, %10, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %16 = "tosa.const"() <{values = dense<"0x2549123E"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:20 aten::atanh.out")
    %17 = "tosa.add"(%15, %16) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %18 = "tosa.mul"(%17, %10, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %19 = "tosa.const"() <{values = dense<"0xCDCC4C3E"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:20 aten::atanh.out")
    %20 = "tosa.add"(%18, %19) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %21 = "tosa.mul"(%20, %10, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %22 = "tosa.const"() <{values = dense<"0xABAAAA3E"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:20 aten::atanh.out")
    %23 = "tosa.add"(%21, %22) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %24 = "tosa.mul"(%23, %10, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %25 = "tosa.add"(%24, %1) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %26 = "tosa.mul"(%25, %arg0, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %27 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    %28 = "tosa.const"() <{values = dense<"0x0000803E"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:20 aten::atanh.out")
    %29 = "tosa.greater"(%28, %27) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1> loc("forward:20 aten::atanh.out")
    %30 = "tosa.select"(%29, %26, %9) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:20 aten::atanh.out")
    return %30 : tensor<2x3x4xf32>
  }
}
