// before
module {
  func.func @"main"(%arg0: tensor<16x16x!quant.uniform<i8:f32, 0.03125:-5>> {tosa.tensor_name = "v0"}) -> (tensor<16x16x!quant.uniform<i8:f32, 0.019005095586180687:6>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.abs"(%arg0) <{flags = 0 : i64}> : (tensor<16x16x!quant.uniform<i8:f32, 0.03125:-5>>) -> tensor<16x16x!quant.uniform<i8:f32, 0.019005095586180687:6>>
    return %1 : tensor<16x16x!quant.uniform<i8:f32, 0.019005095586180687:6>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<16x16xi8> {tosa.tensor_name = "v0"}) -> (tensor<16x16xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 53be585408fba159> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tosa.table"(%arg0, %1) : (tensor<16x16xi8>, tensor<256xi8>) -> tensor<16x16xi8>
    return %2 : tensor<16x16xi8>
  }
}
