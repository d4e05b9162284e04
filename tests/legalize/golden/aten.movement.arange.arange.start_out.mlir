// before
module {
  func.func @"main"() -> (tensor<6xi64> {tosa.tensor_name = ""}) {
    %0 = "aten.arange.start_out"() <{start = 0 : i64, end = 6 : i64, step = 1 : i64}> : () -> tensor<6xi64>
    return %0 : tensor<6xi64>
  }
}
// after
module {
  func.func @"main"() -> (tensor<6xi32> {tosa.tensor_name = ""}) {
    %0 = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>}> : () -> tensor<6xi32>
    return %0 : tensor<6xi32>
  }
}
