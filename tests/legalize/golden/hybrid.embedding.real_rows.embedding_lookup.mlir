// before
module {
  func.func @"main"() -> (tensor<2x8xf32> {tosa.tensor_name = "t2"}) {
    %0 = "tfl.pseudo_const"() <{values = dense<"0x0100000000000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("Model.subgraphs[0].tensors[0]")
    %1 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<3x8xi8>}> : () -> tensor<3x8x!quant.uniform<i8:f32:0, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.embedding_lookup"(%0, %1) : (tensor<2xi32>, tensor<3x8x!quant.uniform<i8:f32:0, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>>) -> tensor<2x8xf32> loc("main:0 EMBEDDING_LOOKUP 't2'")
    return %2 : tensor<2x8xf32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<2x8xf32> {tosa.tensor_name = "t2"}) {
    %0 = "tosa.const"() <{values = dense<"0x8FC2F5BC8FC275BC000000008FC2753C8FC2F53CEB51383DEB5138BD8FC2F5BC8FC2F5BC0AD7A3BC0AD723BC000000000AD7233C0AD7A33C8FC2F53C8FC2F5BC"> : tensor<2x8xf32>}> : () -> tensor<2x8xf32> loc("output")
    return %0 : tensor<2x8xf32>
  }
}
