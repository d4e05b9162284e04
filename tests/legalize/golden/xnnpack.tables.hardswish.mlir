// before
module {
  func.func @"main"(%arg0: tensor<16x16x!quant.uniform<i8:f32, 0.125:15>> {tosa.tensor_name = "v0"}) -> (tensor<16x16x!quant.uniform<i8:f32, 0.016459111124277115:8>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.hardswish"(%arg0) <{flags = 0 : i64}> : (tensor<16x16x!quant.uniform<i8:f32, 0.125:15>>) -> tensor<16x16x!quant.uniform<i8:f32, 0.016459111124277115:8>>
    return %1 : tensor<16x16x!quant.uniform<i8:f32, 0.016459111124277115:8>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<16x16xi8> {tosa.tensor_name = "v0"}) -> (tensor<16x16xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 a19b8a7ed3f4d74a> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tosa.table"(%arg0, %1) : (tensor<16x16xi8>, tensor<256xi8>) -> tensor<16x16xi8>
    return %2 : tensor<16x16xi8>
  }
}
