// before
module {
  func.func @"main"(%arg0: tensor<16x16x!quant.uniform<i8:f32, 0.047753479331731796:0>> {tosa.tensor_name = "v0"}) -> (tensor<16x16x!quant.uniform<i8:f32, 0.0078125:0>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.tanh"(%arg0) <{flags = 0 : i64}> : (tensor<16x16x!quant.uniform<i8:f32, 0.047753479331731796:0>>) -> tensor<16x16x!quant.uniform<i8:f32, 0.0078125:0>>
    return %1 : tensor<16x16x!quant.uniform<i8:f32, 0.0078125:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<16x16xi8> {tosa.tensor_name = "v0"}) -> (tensor<16x16xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 c05be0502c704a7f> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tosa.table"(%arg0, %1) : (tensor<16x16xi8>, tensor<256xi8>) -> tensor<16x16xi8>
    return %2 : tensor<16x16xi8>
  }
}
