// before
module {
  func.func @"main"() -> (tensor<2x2xf32> {tosa.tensor_name = "t0"}) {
    %0 = "tfl.pseudo_sparse_const"() <{values = dense<"0x0000803F00000040"> : tensor<8xi8>, sparsity = "SparsityParameters(traversal_order=(0, 1), dim_metadata=(DimensionMetadata(dense_size=2), DimensionMetadata(format=<DimensionType.SPARSE_CSR: 1>, array_segments=Uint8Vector(values=array([0, 1, 2], dtype=uint8)), array_indices=Uint8Vector(values=array([0, 1], dtype=uint8)))))"}> : () -> tensor<2x2xf32> loc("Model.subgraphs[0].tensors[0]")
    return %0 : tensor<2x2xf32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<2x2xf32> {tosa.tensor_name = "t0"}) {
    %0 = "tosa.const"() <{values = dense<"0x0000803F000000000000000000000040"> : tensor<2x2xf32>}> : () -> tensor<2x2xf32> loc("output")
    return %0 : tensor<2x2xf32>
  }
}
