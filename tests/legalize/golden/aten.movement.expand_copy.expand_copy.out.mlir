// before
module {
  func.func @"main"() -> (tensor<1x1x16xf32> {tosa.tensor_name = ""}) {
    %0 = "xnn.const"() <{values = dense<"0x5B391FC004FB9BBF586383BE20D9B23F83A9B83D8CA5AF3D4731E4BED545B73EF170EFBFC0EE5ABFD2C1883F91BBC43D312B2FBF793ECC3E0904843EE9CA4B3E"> : tensor<1x1x16xf32>}> : () -> tensor<1x1x16xf32> loc("forward:0 aten::expand_copy.out")
    %1 = "aten.expand_copy.out"(%0) <{size = array<i64: 1, -1, -1>, implicit = false}> : (tensor<1x1x16xf32>) -> tensor<1x1x16xf32> loc("forward:0 aten::expand_copy.out")
    return %1 : tensor<1x1x16xf32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<1x1x16xf32> {tosa.tensor_name = ""}) {
    %0 = "tosa.const"() <{values = dense<"0x5B391FC004FB9BBF586383BE20D9B23F83A9B83D8CA5AF3D4731E4BED545B73EF170EFBFC0EE5ABFD2C1883F91BBC43D312B2FBF793ECC3E0904843EE9CA4B3E"> : tensor<1x1x16xf32>}> : () -> tensor<1x1x16xf32> loc("output")
    return %0 : tensor<1x1x16xf32>
  }
}
