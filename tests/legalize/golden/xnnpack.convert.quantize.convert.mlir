// before
module {
  func.func @"main"(%arg0: tensor<4x64xf32> {tosa.tensor_name = "v0"}) -> (tensor<4x64x!quant.uniform<i8:f32, 0.06054311990737915:-1>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.convert"(%arg0) <{flags = 0 : i64}> : (tensor<4x64xf32>) -> tensor<4x64x!quant.uniform<i8:f32, 0.06054311990737915:-1>>
    return %1 : tensor<4x64x!quant.uniform<i8:f32, 0.06054311990737915:-1>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x64xf32> {tosa.tensor_name = "v0"}) -> (tensor<4x64xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<[[16.517152786254883]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<4x64xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x64xf32>
    %4 = "tosa.const"() <{values = dense<[[128.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %5 = "tosa.minimum"(%3, %4) <{nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<4x64xf32>, tensor<1x1xf32>) -> tensor<4x64xf32>
    %6 = "tosa.clamp"(%5) <{min_val = 0xC2FE0000 : f32, max_val = 0x43000000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<4x64xf32>) -> tensor<4x64xf32>
    %7 = "tosa.cast"(%6) : (tensor<4x64xf32>) -> tensor<4x64xi32>
    %8 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %11 = "tosa.const"() <{values = dense<[-1]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.rescale"(%7, %8, %9, %10, %11) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x64xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x64xi8>
    return %12 : tensor<4x64xi8>
  }
}
