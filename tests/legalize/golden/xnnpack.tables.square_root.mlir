// before
module {
  func.func @"main"(%arg0: tensor<16x16x!quant.uniform<i8:f32, 0.0625:-11>> {tosa.tensor_name = "v0"}) -> (tensor<16x16x!quant.uniform<i8:f32, 0.0625:13>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.square_root"(%arg0) <{flags = 0 : i64}> : (tensor<16x16x!quant.uniform<i8:f32, 0.0625:-11>>) -> tensor<16x16x!quant.uniform<i8:f32, 0.0625:13>>
    return %1 : tensor<16x16x!quant.uniform<i8:f32, 0.0625:13>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<16x16xi8> {tosa.tensor_name = "v0"}) -> (tensor<16x16xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 27550403b0d75152> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tosa.table"(%arg0, %1) : (tensor<16x16xi8>, tensor<256xi8>) -> tensor<16x16xi8>
    return %2 : tensor<16x16xi8>
  }
}
