// before
module {
  func.func @"main"() -> (tensor<2x2xf32> {tosa.tensor_name = "t0"}) {
    %0 = "tfl.pseudo_sparse_const"() <{values = dense<[0, 0, 128, 63, 0, 0, 0, 64]> : tensor<8xi8>, sparsity = "SparsityParameters(traversal_order=(0, 1), dim_metadata=(DimensionMetadata(dense_size=2), DimensionMetadata(format=<DimensionType.SPARSE_CSR: 1>, array_segments=Uint8Vector(values=array([0, 1, 2], dtype=uint8)), array_indices=Uint8Vector(values=array([0, 1], dtype=uint8)))))"}> : () -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<2x2xf32> {tosa.tensor_name = "t0"}) {
    %0 = "tosa.const"() <{values = dense<[[1.0, 0.0], [0.0, 2.0]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}
