// before
module {
  func.func @"main"(%arg0: tensor<16x16x!quant.uniform<i8:f32, 0.026407966390252113:-1>> {tosa.tensor_name = "v0"}) -> (tensor<16x16x!quant.uniform<i8:f32, 0.05990007519721985:-26>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.elu"(%arg0) <{alpha = 0x3F400000 : f32, flags = 0 : i64}> : (tensor<16x16x!quant.uniform<i8:f32, 0.026407966390252113:-1>>) -> tensor<16x16x!quant.uniform<i8:f32, 0.05990007519721985:-26>>
    return %1 : tensor<16x16x!quant.uniform<i8:f32, 0.05990007519721985:-26>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<16x16xi8> {tosa.tensor_name = "v0"}) -> (tensor<16x16xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 2fdf6339a3fc2107> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tosa.table"(%arg0, %1) : (tensor<16x16xi8>, tensor<256xi8>) -> tensor<16x16xi8>
    return %2 : tensor<16x16xi8>
  }
}
