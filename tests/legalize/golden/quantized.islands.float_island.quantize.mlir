// before
module {
  func.func @"main"(%arg0: tensor<2x3x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<2x3x!quant.uniform<i8:f32, 0.05000000074505806:7>> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.dequantize"(%arg0) : (tensor<2x3x!quant.uniform<i8:f32, 0.05000000074505806:-3>>) -> tensor<2x3xf32>
    %2 = "tfl.sin"(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %3 = "tfl.quantize"(%2) : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.05000000074505806:7>>
    return %3 : tensor<2x3x!quant.uniform<i8:f32, 0.05000000074505806:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "t0"}) -> (tensor<2x3xi8> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const"() <{values = dense<sha256 d7ca3b8c42ff981c> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tosa.table"(%arg0, %1) : (tensor<2x3xi8>, tensor<256xi8>) -> tensor<2x3xi8>
    return %2 : tensor<2x3xi8>
  }
}
