// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.00390625:-128>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.logistic"(%arg0) : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.00390625:-128>>
    return %1 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.00390625:-128>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 98f4f43a60e78cdf> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tosa.table"(%arg0, %1) : (tensor<1x4x4x2xi8>, tensor<256xi8>) -> tensor<1x4x4x2xi8>
    return %2 : tensor<1x4x4x2xi8>
  }
}
