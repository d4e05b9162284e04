// before
module {
  func.func @"main"() -> (tensor<f32> {tosa.tensor_name = ""}) {
    %0 = "xnn.const"() <{values = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "aten._to_copy.out"(%0) <{non_blocking = false, memory_format = "None"}> : (tensor<i64>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<f32> {tosa.tensor_name = ""}) {
    %0 = "tosa.const"() <{values = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    return %0 : tensor<f32>
  }
}
