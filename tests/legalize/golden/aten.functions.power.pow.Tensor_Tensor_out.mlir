// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_4"}) {
    %2 = "aten.pow.Tensor_Tensor_out"(%arg0, %arg1) : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    return %2 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_4"}) {
    %2 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %3 = "tosa.reshape"(%arg1, %2) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %4 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %5 = "tosa.clamp"(%4) <{min_val = 0x00800000 : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %6 = "tosa.clamp"(%3) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %7 = "tosa.equal"(%5, %4) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %8 = "tosa.equal"(%6, %3) : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xi1> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %9 = "tosa.logical_and"(%7, %8) : (tensor<2x3x4xi1>, tensor<1x3x4xi1>) -> tensor<2x3x4xi1> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %10 = "tosa.log"(%4) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %11 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %12 = "tosa.mul"(%10, %3, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %13 = "tosa.exp"(%12) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %14 = "tosa.pow"(%5, %6) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %15 = "tosa.select"(%9, %14, %13) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %16 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %17 = "tosa.equal"(%3, %16) : (tensor<1x3x4xf32>, tensor<1x1x1xf32>) -> tensor<1x3x4xi1> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %18 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %19 = "tosa.select"(%17, %18, %15) : (tensor<1x3x4xi1>, tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %20 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %21 = "tosa.mul"(%3, %20, %11) : (tensor<1x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %22 = "tosa.floor"(%21) : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %23 = "tosa.equal"(%22, %21) : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xi1> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %24 = "tosa.floor"(%3) : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %25 = "tosa.equal"(%24, %3) : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xi1> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %26 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %27 = "tosa.negate"(%19, %26, %26) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %28 = "tosa.const"() <{values = dense<"0x0000C07F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %29 = "tosa.select"(%25, %27, %28) : (tensor<1x3x4xi1>, tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %30 = "tosa.select"(%23, %19, %29) : (tensor<1x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %31 = "tosa.greater"(%16, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1> loc("forward:10 aten::pow.Tensor_Tensor_out")
    %32 = "tosa.select"(%31, %30, %19) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("forward:10 aten::pow.Tensor_Tensor_out")
    return %32 : tensor<2x3x4xf32>
  }
}
