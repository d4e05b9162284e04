// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 9189de1d5fa09d07> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tosa.table"(%arg0, %1) : (tensor<1x4x4x2xi8>, tensor<256xi8>) -> tensor<1x4x4x2xi8>
    return %2 : tensor<1x4x4x2xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.015625:-84>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.009375020861625671:-128>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.quantize"(%arg0) : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.015625:-84>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.009375020861625671:-128>>
    return %1 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.009375020861625671:-128>>
  }
}
