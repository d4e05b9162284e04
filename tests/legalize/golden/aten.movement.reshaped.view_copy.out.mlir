// before
module {
  func.func @"main"() -> (tensor<1xf32> {tosa.tensor_name = ""}) {
    %0 = "xnn.const"() <{values = dense<"0xBD378635"> : tensor<f32>}> : () -> tensor<f32> loc("forward:5")
    %1 = "aten.view_copy.out"(%0) <{size = array<i64: 1>}> : (tensor<f32>) -> tensor<1xf32> loc("forward:5")
    return %1 : tensor<1xf32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<1xf32> {tosa.tensor_name = ""}) {
    %0 = "tosa.const"() <{values = dense<"0xBD378635"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("output")
    return %0 : tensor<1xf32>
  }
}
