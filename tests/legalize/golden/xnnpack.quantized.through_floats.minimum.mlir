// before
module {
  func.func @"main"(%arg0: tensor<4x24x!quant.uniform<i8:f32, 0.0625:19>> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24x!quant.uniform<i8:f32, 0.0636935904622078:28>> {tosa.tensor_name = "v1"}) -> (tensor<4x24x!quant.uniform<i8:f32, 0.04731619730591774:1>> {tosa.tensor_name = "v2"}) {
    %2 = "xnn.minimum"(%arg0, %arg1) <{flags = 0 : i64}> : (tensor<4x24x!quant.uniform<i8:f32, 0.0625:19>>, tensor<4x24x!quant.uniform<i8:f32, 0.0636935904622078:28>>) -> tensor<4x24x!quant.uniform<i8:f32, 0.04731619730591774:1>> loc("main:0 XNNMinimum handle 0")
    return %2 : tensor<4x24x!quant.uniform<i8:f32, 0.04731619730591774:1>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xi8> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24xi8> {tosa.tensor_name = "v1"}) -> (tensor<4x24xi8> {tosa.tensor_name = "v2"}) {
    %2 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 XNNMinimum handle 0")
    %3 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNMinimum handle 0")
    %4 = "tosa.const"() <{values = dense<"0x13"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNMinimum handle 0")
    %5 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 XNNMinimum handle 0")
    %6 = "tosa.rescale"(%arg0, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32> loc("main:0 XNNMinimum handle 0")
    %7 = "tosa.cast"(%6) : (tensor<4x24xi32>) -> tensor<4x24xf32> loc("main:0 XNNMinimum handle 0")
    %8 = "tosa.const"() <{values = dense<"0x0000803D"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNMinimum handle 0")
    %9 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNMinimum handle 0")
    %10 = "tosa.mul"(%7, %8, %9) : (tensor<4x24xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x24xf32> loc("main:0 XNNMinimum handle 0")
    %11 = "tosa.const"() <{values = dense<"0x1C"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNMinimum handle 0")
    %12 = "tosa.rescale"(%arg1, %2, %3, %11, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32> loc("main:0 XNNMinimum handle 0")
    %13 = "tosa.cast"(%12) : (tensor<4x24xi32>) -> tensor<4x24xf32> loc("main:0 XNNMinimum handle 0")
    %14 = "tosa.const"() <{values = dense<"0xC971823D"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNMinimum handle 0")
    %15 = "tosa.mul"(%13, %14, %9) : (tensor<4x24xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x24xf32> loc("main:0 XNNMinimum handle 0")
    %16 = "tosa.minimum"(%10, %15) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x24xf32>, tensor<4x24xf32>) -> tensor<4x24xf32> loc("main:0 XNNMinimum handle 0")
    %17 = "tosa.const"() <{values = dense<"0x4713A941"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNMinimum handle 0")
    %18 = "tosa.mul"(%16, %17, %9) : (tensor<4x24xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x24xf32> loc("main:0 XNNMinimum handle 0")
    %19 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNMinimum handle 0")
    %20 = "tosa.add"(%18, %19) : (tensor<4x24xf32>, tensor<1x1xf32>) -> tensor<4x24xf32> loc("main:0 XNNMinimum handle 0")
    %21 = "tosa.cast"(%20) : (tensor<4x24xf32>) -> tensor<4x24xi8> loc("main:0 XNNMinimum handle 0")
    return %21 : tensor<4x24xi8>
  }
}
