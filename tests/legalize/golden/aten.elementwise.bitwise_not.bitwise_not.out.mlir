// before
module {
  func.func @"main"() -> (tensor<6x6xi1> {tosa.tensor_name = ""}) {
    %0 = "xnn.const"() <{values = dense_resource<__elided__> : tensor<6x6xi1>}> : () -> tensor<6x6xi1> loc("forward:1 aten::bitwise_not.out")
    %1 = "aten.bitwise_not.out"(%0) : (tensor<6x6xi1>) -> tensor<6x6xi1> loc("forward:1 aten::bitwise_not.out")
    return %1 : tensor<6x6xi1>
  }
}
// after
module {
  func.func @"main"() -> (tensor<6x6xi1> {tosa.tensor_name = ""}) {
    %0 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<6x6xi1>}> : () -> tensor<6x6xi1> loc("output")
    return %0 : tensor<6x6xi1>
  }
}
