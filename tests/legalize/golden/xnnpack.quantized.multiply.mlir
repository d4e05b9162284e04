// before
module {
  func.func @"main"(%arg0: tensor<4x24x!quant.uniform<i8:f32, 0.034741438925266266:4>> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24x!quant.uniform<i8:f32, 0.057412754744291306:14>> {tosa.tensor_name = "v1"}) -> (tensor<4x24x!quant.uniform<i8:f32, 0.023666158318519592:0>> {tosa.tensor_name = "v2"}) {
    %2 = "xnn.multiply"(%arg0, %arg1) <{flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<4x24x!quant.uniform<i8:f32, 0.034741438925266266:4>>, tensor<4x24x!quant.uniform<i8:f32, 0.057412754744291306:14>>) -> tensor<4x24x!quant.uniform<i8:f32, 0.023666158318519592:0>>
    return %2 : tensor<4x24x!quant.uniform<i8:f32, 0.023666158318519592:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xi8> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24xi8> {tosa.tensor_name = "v1"}) -> (tensor<4x24xi8> {tosa.tensor_name = "v2"}) {
    %2 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[4]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.rescale"(%arg0, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32>
    %7 = "tosa.const"() <{values = dense<[14]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.rescale"(%arg1, %2, %3, %7, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32>
    %9 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.mul"(%6, %8, %9) : (tensor<4x24xi32>, tensor<4x24xi32>, tensor<1xi8>) -> tensor<4x24xi32>
    %11 = "tosa.cast"(%10) : (tensor<4x24xi32>) -> tensor<4x24xf32>
    %12 = "tosa.const"() <{values = dense<[[0.08428075164556503]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %13 = "tosa.mul"(%11, %12, %9) : (tensor<4x24xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x24xf32>
    %14 = "tosa.cast"(%13) : (tensor<4x24xf32>) -> tensor<4x24xi32>
    %15 = "tosa.rescale"(%14, %2, %3, %5, %9) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x24xi8>
    %16 = "tosa.clamp"(%15) <{min_val = -21 : i8, max_val = 53 : i8, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x24xi8>) -> tensor<4x24xi8>
    return %16 : tensor<4x24xi8>
  }
}
