// before
module {
  func.func @"main"(%arg0: tensor<16x16x!quant.uniform<i8:f32, 0.014737478457391262:24>> {tosa.tensor_name = "v0"}) -> (tensor<16x16x!quant.uniform<i8:f32, 0.04307812824845314:10>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.leaky_relu"(%arg0) <{negative_slope = 0x3E000000 : f32, flags = 0 : i64}> : (tensor<16x16x!quant.uniform<i8:f32, 0.014737478457391262:24>>) -> tensor<16x16x!quant.uniform<i8:f32, 0.04307812824845314:10>>
    return %1 : tensor<16x16x!quant.uniform<i8:f32, 0.04307812824845314:10>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<16x16xi8> {tosa.tensor_name = "v0"}) -> (tensor<16x16xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 037f05aecf64b8cd> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tosa.table"(%arg0, %1) : (tensor<16x16xi8>, tensor<256xi8>) -> tensor<16x16xi8>
    return %2 : tensor<16x16xi8>
  }
}
