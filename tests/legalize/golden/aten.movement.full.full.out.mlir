// before
module {
  func.func @"main"() -> (tensor<1x1x8xf32> {tosa.tensor_name = ""}) {
    %0 = "aten.full.out"() <{size = array<i64: 1, 1, 8>, fill_value = 0 : i64}> : () -> tensor<1x1x8xf32>
    return %0 : tensor<1x1x8xf32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<1x1x8xf32> {tosa.tensor_name = ""}) {
    %0 = "tosa.const"() <{values = dense<[[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]]> : tensor<1x1x8xf32>}> : () -> tensor<1x1x8xf32>
    return %0 : tensor<1x1x8xf32>
  }
}
