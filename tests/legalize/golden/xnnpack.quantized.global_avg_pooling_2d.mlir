// before
module {
  func.func @"main"(%arg0: tensor<2x5x6x7x!quant.uniform<i8:f32, 0.015625:-7>> {tosa.tensor_name = "v0"}) -> (tensor<2x1x1x7x!quant.uniform<i8:f32, 0.028463665395975113:14>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.global_avg_pooling_2d"(%arg0) <{flags = 64 : i64}> : (tensor<2x5x6x7x!quant.uniform<i8:f32, 0.015625:-7>>) -> tensor<2x1x1x7x!quant.uniform<i8:f32, 0.028463665395975113:14>> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    return %1 : tensor<2x1x1x7x!quant.uniform<i8:f32, 0.028463665395975113:14>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x5x6x7xi8> {tosa.tensor_name = "v0"}) -> (tensor<2x1x1x7xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    %2 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    %3 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x5x6x7xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x5x6x7xi32> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    %6 = "tosa.reduce_sum"(%5) <{axis = 1 : i32}> : (tensor<2x5x6x7xi32>) -> tensor<2x1x6x7xi32> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    %7 = "tosa.reduce_sum"(%6) <{axis = 2 : i32}> : (tensor<2x1x6x7xi32>) -> tensor<2x1x1x7xi32> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    %8 = "tosa.cast"(%7) : (tensor<2x1x1x7xi32>) -> tensor<2x1x1x7xf32> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    %9 = "tosa.const"() <{values = dense<"0x13E6953C"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    %10 = "tosa.mul"(%8, %9, %3) : (tensor<2x1x1x7xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x7xf32> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    %11 = "tosa.const"() <{values = dense<"0xAFBD8E41"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    %12 = "tosa.add"(%10, %11) : (tensor<2x1x1x7xf32>, tensor<1x1x1x1xf32>) -> tensor<2x1x1x7xf32> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    %13 = "tosa.cast"(%12) : (tensor<2x1x1x7xf32>) -> tensor<2x1x1x7xi8> loc("main:0 XNNGlobalAvgPooling2d handle 0")
    return %13 : tensor<2x1x1x7xi8>
  }
}
