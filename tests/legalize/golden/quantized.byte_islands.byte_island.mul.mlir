// before
module {
  func.func @"main"(%arg0: tensor<2x3x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<2x3x!quant.uniform<i8:f32, 0.05000000074505806:7>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.logistic"(%arg0) : (tensor<2x3x!quant.uniform<i8:f32, 0.05000000074505806:-3>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.00390625:-128>>
    %2 = "tfl.mul"(%arg0, %1) <{fused_activation_function = "NONE"}> : (tensor<2x3x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<2x3x!quant.uniform<i8:f32, 0.00390625:-128>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.05000000074505806:7>>
    return %2 : tensor<2x3x!quant.uniform<i8:f32, 0.05000000074505806:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "t0"}) -> (tensor<2x3xi8> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<sha256 284258f1a9b5f7e9> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tosa.table"(%arg0, %1) : (tensor<2x3xi8>, tensor<256xi8>) -> tensor<2x3xi8>
    return %2 : tensor<2x3xi8>
  }
}
