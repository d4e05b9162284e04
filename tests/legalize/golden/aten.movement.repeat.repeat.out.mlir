// before
module {
  func.func @"main"() -> (tensor<8xf32> {tosa.tensor_name = ""}) {
    %0 = "xnn.const"() <{values = dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<8xf32>}> : () -> tensor<8xf32>
    %1 = "aten.repeat.out"(%0) <{repeats = array<i64: 1>}> : (tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<8xf32> {tosa.tensor_name = ""}) {
    %0 = "tosa.const"() <{values = dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<8xf32>}> : () -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
