// before
module {
  func.func @"main"(%arg0: tensor<4x24x!quant.uniform<i8:f32, 0.034741438925266266:4>> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24x!quant.uniform<i8:f32, 0.057412754744291306:14>> {tosa.tensor_name = "v1"}) -> (tensor<4x24x!quant.uniform<i8:f32, 0.023666158318519592:0>> {tosa.tensor_name = "v2"}) {
    %2 = "xnn.multiply"(%arg0, %arg1) <{flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<4x24x!quant.uniform<i8:f32, 0.034741438925266266:4>>, tensor<4x24x!quant.uniform<i8:f32, 0.057412754744291306:14>>) -> tensor<4x24x!quant.uniform<i8:f32, 0.023666158318519592:0>> loc("main:0 XNNMultiply handle 0")
    return %2 : tensor<4x24x!quant.uniform<i8:f32, 0.023666158318519592:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xi8> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24xi8> {tosa.tensor_name = "v1"}) -> (tensor<4x24xi8> {tosa.tensor_name = "v2"}) {
    %2 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 XNNMultiply handle 0")
    %3 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNMultiply handle 0")
    %4 = "tosa.const"() <{values = dense<"0x04"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNMultiply handle 0")
    %5 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 XNNMultiply handle 0")
    %6 = "tosa.rescale"(%arg0, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32> loc("main:0 XNNMultiply handle 0")
    %7 = "tosa.const"() <{values = dense<"0x0E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNMultiply handle 0")
    %8 = "tosa.rescale"(%arg1, %2, %3, %7, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32> loc("main:0 XNNMultiply handle 0")
    %9 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNMultiply handle 0")
    %10 = "tosa.mul"(%6, %8, %9) : (tensor<4x24xi32>, tensor<4x24xi32>, tensor<1xi8>) -> tensor<4x24xi32> loc("main:0 XNNMultiply handle 0")
    %11 = "tosa.cast"(%10) : (tensor<4x24xi32>) -> tensor<4x24xf32> loc("main:0 XNNMultiply handle 0")
    %12 = "tosa.const"() <{values = dense<"0x639BAC3D"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNMultiply handle 0")
    %13 = "tosa.mul"(%11, %12, %9) : (tensor<4x24xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x24xf32> loc("main:0 XNNMultiply handle 0")
    %14 = "tosa.cast"(%13) : (tensor<4x24xf32>) -> tensor<4x24xi32> loc("main:0 XNNMultiply handle 0")
    %15 = "tosa.rescale"(%14, %2, %3, %5, %9) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x24xi8> loc("main:0 XNNMultiply handle 0")
    %16 = "tosa.clamp"(%15) <{min_val = -21 : i8, max_val = 53 : i8, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x24xi8>) -> tensor<4x24xi8> loc("main:0 XNNMultiply handle 0")
    return %16 : tensor<4x24xi8>
  }
}
