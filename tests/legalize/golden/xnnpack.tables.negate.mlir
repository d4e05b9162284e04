// before
module {
  func.func @"main"(%arg0: tensor<16x16x!quant.uniform<i8:f32, 0.049794383347034454:-4>> {tosa.tensor_name = "v0"}) -> (tensor<16x16x!quant.uniform<i8:f32, 0.02779746800661087:24>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.negate"(%arg0) <{flags = 0 : i64}> : (tensor<16x16x!quant.uniform<i8:f32, 0.049794383347034454:-4>>) -> tensor<16x16x!quant.uniform<i8:f32, 0.02779746800661087:24>>
    return %1 : tensor<16x16x!quant.uniform<i8:f32, 0.02779746800661087:24>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<16x16xi8> {tosa.tensor_name = "v0"}) -> (tensor<16x16xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 86528a1e937b663c> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tosa.table"(%arg0, %1) : (tensor<16x16xi8>, tensor<256xi8>) -> tensor<16x16xi8>
    return %2 : tensor<16x16xi8>
  }
}
