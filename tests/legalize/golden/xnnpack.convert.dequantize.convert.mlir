// before
module {
  func.func @"main"(%arg0: tensor<4x64x!quant.uniform<i8:f32, 0.06066640838980675:-8>> {tosa.tensor_name = "v0"}) -> (tensor<4x64xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.convert"(%arg0) <{flags = 0 : i64}> : (tensor<4x64x!quant.uniform<i8:f32, 0.06066640838980675:-8>>) -> tensor<4x64xf32>
    return %1 : tensor<4x64xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x64xi8> {tosa.tensor_name = "v0"}) -> (tensor<4x64xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<[-8]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x64xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x64xi32>
    %6 = "tosa.cast"(%5) : (tensor<4x64xi32>) -> tensor<4x64xf32>
    %7 = "tosa.const"() <{values = dense<[[0.06066640838980675]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.mul"(%6, %7, %8) : (tensor<4x64xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x64xf32>
    return %9 : tensor<4x64xf32>
  }
}
