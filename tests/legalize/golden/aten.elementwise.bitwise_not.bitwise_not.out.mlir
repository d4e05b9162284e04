// before
module {
  func.func @"main"() -> (tensor<6x6xi1> {tosa.tensor_name = ""}) {
    %0 = "xnn.const"() <{values = dense<sha256 3910cd2af74126c3> : tensor<6x6xi1>}> : () -> tensor<6x6xi1>
    %1 = "aten.bitwise_not.out"(%0) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    return %1 : tensor<6x6xi1>
  }
}
// after
module {
  func.func @"main"() -> (tensor<6x6xi1> {tosa.tensor_name = ""}) {
    %0 = "tosa.const"() <{values = dense<sha256 4f1c4175d40e821b> : tensor<6x6xi1>}> : () -> tensor<6x6xi1>
    return %0 : tensor<6x6xi1>
  }
}
