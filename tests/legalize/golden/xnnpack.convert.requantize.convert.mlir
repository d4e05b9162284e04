// before
module {
  func.func @"main"(%arg0: tensor<4x64x!quant.uniform<i8:f32, 0.04692772030830383:-15>> {tosa.tensor_name = "v0"}) -> (tensor<4x64x!quant.uniform<i8:f32, 0.015625:-21>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.convert"(%arg0) <{flags = 0 : i64}> : (tensor<4x64x!quant.uniform<i8:f32, 0.04692772030830383:-15>>) -> tensor<4x64x!quant.uniform<i8:f32, 0.015625:-21>>
    return %1 : tensor<4x64x!quant.uniform<i8:f32, 0.015625:-21>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x64xi8> {tosa.tensor_name = "v0"}) -> (tensor<4x64xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<[25198592]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tosa.const"() <{values = dense<[23]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<[-15]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[-21]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x64xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4x64xi8>
    return %5 : tensor<4x64xi8>
  }
}
