// before
module {
  func.func @"main"() -> (tensor<f32> {tosa.tensor_name = ""}) {
    %0 = "aten.scalar_tensor.out"() <{s = 0xFF800000 : f32}> : () -> tensor<f32>
    return %0 : tensor<f32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<f32> {tosa.tensor_name = ""}) {
    %0 = "tosa.const"() <{values = dense<-inf> : tensor<f32>}> : () -> tensor<f32>
    return %0 : tensor<f32>
  }
}
