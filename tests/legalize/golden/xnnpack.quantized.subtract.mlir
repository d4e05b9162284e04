// before
module {
  func.func @"main"(%arg0: tensor<4x24x!quant.uniform<i8:f32, 0.06268557161092758:13>> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24x!quant.uniform<i8:f32, 0.07532152533531189:-9>> {tosa.tensor_name = "v1"}) -> (tensor<4x24x!quant.uniform<i8:f32, 0.028579574078321457:28>> {tosa.tensor_name = "v2"}) {
    %2 = "xnn.subtract"(%arg0, %arg1) <{flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<4x24x!quant.uniform<i8:f32, 0.06268557161092758:13>>, tensor<4x24x!quant.uniform<i8:f32, 0.07532152533531189:-9>>) -> tensor<4x24x!quant.uniform<i8:f32, 0.028579574078321457:28>>
    return %2 : tensor<4x24x!quant.uniform<i8:f32, 0.028579574078321457:28>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xi8> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24xi8> {tosa.tensor_name = "v1"}) -> (tensor<4x24xi8> {tosa.tensor_name = "v2"}) {
    %2 = "tosa.const"() <{values = dense<[588777984]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tosa.const"() <{values = dense<[9]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[13]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.rescale"(%arg0, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32>
    %7 = "tosa.const"() <{values = dense<[707462144]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %8 = "tosa.const"() <{values = dense<[-9]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.rescale"(%arg1, %7, %3, %8, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32>
    %10 = "tosa.sub"(%6, %9) : (tensor<4x24xi32>, tensor<4x24xi32>) -> tensor<4x24xi32>
    %11 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %12 = "tosa.const"() <{values = dense<[49]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %13 = "tosa.const"() <{values = dense<[28]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %14 = "tosa.rescale"(%10, %11, %12, %5, %13) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x24xi8>
    %15 = "tosa.clamp"(%14) <{min_val = 11 : i8, max_val = 72 : i8, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x24xi8>) -> tensor<4x24xi8>
    return %15 : tensor<4x24xi8>
  }
}
