// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<4x1xi32> {tosa.tensor_name = "t1"}) -> (tensor<4x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_gather"(%arg0, %arg1) <{offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<2x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
    return %2 : tensor<4x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<4x1xi32> {tosa.tensor_name = "t1"}) -> (tensor<4x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const_shape"() <{values = dense<[1, 2, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<2x3xf32>, !tosa.shape<3>) -> tensor<1x2x3xf32>
    %4 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %5 = "tosa.maximum"(%arg1, %4) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x1xi32>, tensor<1x1xi32>) -> tensor<4x1xi32>
    %6 = "tosa.const"() <{values = dense<[[1]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %7 = "tosa.minimum"(%5, %6) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x1xi32>, tensor<1x1xi32>) -> tensor<4x1xi32>
    %8 = "tosa.const_shape"() <{values = dense<[1, 4, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %9 = "tosa.reshape"(%7, %8) : (tensor<4x1xi32>, !tosa.shape<3>) -> tensor<1x4x1xi32>
    %10 = "tosa.const_shape"() <{values = dense<[1, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %11 = "tosa.reshape"(%9, %10) : (tensor<1x4x1xi32>, !tosa.shape<2>) -> tensor<1x4xi32>
    %12 = "tosa.const_shape"() <{values = dense<[4, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %13 = "tosa.reshape"(%11, %12) : (tensor<1x4xi32>, !tosa.shape<2>) -> tensor<4x1xi32>
    %14 = "tosa.reshape"(%13, %10) : (tensor<4x1xi32>, !tosa.shape<2>) -> tensor<1x4xi32>
    %15 = "tosa.gather"(%3, %14) : (tensor<1x2x3xf32>, tensor<1x4xi32>) -> tensor<1x4x3xf32>
    %16 = "tosa.const_shape"() <{values = dense<[4, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %17 = "tosa.reshape"(%15, %16) : (tensor<1x4x3xf32>, !tosa.shape<3>) -> tensor<4x1x3xf32>
    %18 = "tosa.const_shape"() <{values = dense<[4, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %19 = "tosa.reshape"(%17, %18) : (tensor<4x1x3xf32>, !tosa.shape<2>) -> tensor<4x3xf32>
    return %19 : tensor<4x3xf32>
  }
}
