// before
module {
  func.func @"main"(%arg0: tensor<4x24x!quant.uniform<i8:f32, 0.042712289839982986:20>> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24x!quant.uniform<i8:f32, 0.0610681027173996:10>> {tosa.tensor_name = "v1"}) -> (tensor<4x24x!quant.uniform<i8:f32, 0.0625:18>> {tosa.tensor_name = "v2"}) {
    %2 = "xnn.add"(%arg0, %arg1) <{flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<4x24x!quant.uniform<i8:f32, 0.042712289839982986:20>>, tensor<4x24x!quant.uniform<i8:f32, 0.0610681027173996:10>>) -> tensor<4x24x!quant.uniform<i8:f32, 0.0625:18>>
    return %2 : tensor<4x24x!quant.uniform<i8:f32, 0.0625:18>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xi8> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24xi8> {tosa.tensor_name = "v1"}) -> (tensor<4x24xi8> {tosa.tensor_name = "v2"}) {
    %2 = "tosa.const"() <{values = dense<[733791744]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tosa.const"() <{values = dense<[9]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[20]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.rescale"(%arg0, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32>
    %7 = "tosa.const"() <{values = dense<[1049142272]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %8 = "tosa.const"() <{values = dense<[10]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.rescale"(%arg1, %7, %3, %8, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32>
    %10 = "tosa.add"(%6, %9) : (tensor<4x24xi32>, tensor<4x24xi32>) -> tensor<4x24xi32>
    %11 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %12 = "tosa.const"() <{values = dense<[51]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %13 = "tosa.const"() <{values = dense<[18]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %14 = "tosa.rescale"(%10, %11, %12, %5, %13) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x24xi8>
    %15 = "tosa.clamp"(%14) <{min_val = 10 : i8, max_val = 38 : i8, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x24xi8>) -> tensor<4x24xi8>
    return %15 : tensor<4x24xi8>
  }
}
