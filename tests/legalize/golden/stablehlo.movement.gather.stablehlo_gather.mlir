// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<4x1xi32> {tosa.tensor_name = "t1"}) -> (tensor<4x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_gather"(%arg0, %arg1) <{offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<2x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32> loc("main:0 STABLEHLO_GATHER 't2'")
    return %2 : tensor<4x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<4x1xi32> {tosa.tensor_name = "t1"}) -> (tensor<4x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 STABLEHLO_GATHER 't2'")
    %3 = "tosa.maximum"(%arg1, %2) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x1xi32>, tensor<1x1xi32>) -> tensor<4x1xi32> loc("main:0 STABLEHLO_GATHER 't2'")
    %4 = "tosa.const"() <{values = dense<"0x01000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 STABLEHLO_GATHER 't2'")
    %5 = "tosa.minimum"(%3, %4) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x1xi32>, tensor<1x1xi32>) -> tensor<4x1xi32> loc("main:0 STABLEHLO_GATHER 't2'")
    %6 = "tosa.const"() <{values = dense<"0x03000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 STABLEHLO_GATHER 't2'")
    %7 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 STABLEHLO_GATHER 't2'")
    %8 = "tosa.mul"(%5, %6, %7) : (tensor<4x1xi32>, tensor<1x1xi32>, tensor<1xi8>) -> tensor<4x1xi32> loc("main:0 STABLEHLO_GATHER 't2'")
    %9 = "tosa.reduce_sum"(%8) <{axis = 1 : i32}> : (tensor<4x1xi32>) -> tensor<4x1xi32> loc("main:0 STABLEHLO_GATHER 't2'")
    %10 = "tosa.const"() <{values = dense<"0x000000000100000002000000"> : tensor<1x3xi32>}> : () -> tensor<1x3xi32> loc("main:0 STABLEHLO_GATHER 't2'")
    %11 = "tosa.add"(%9, %10) : (tensor<4x1xi32>, tensor<1x3xi32>) -> tensor<4x3xi32> loc("main:0 STABLEHLO_GATHER 't2'")
    %12 = "tosa.const_shape"() <{values = dense<[1, 6, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 STABLEHLO_GATHER 't2'")
    %13 = "tosa.reshape"(%arg0, %12) : (tensor<2x3xf32>, !tosa.shape<3>) -> tensor<1x6x1xf32> loc("main:0 STABLEHLO_GATHER 't2'")
    %14 = "tosa.const_shape"() <{values = dense<[1, 12]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 STABLEHLO_GATHER 't2'")
    %15 = "tosa.reshape"(%11, %14) : (tensor<4x3xi32>, !tosa.shape<2>) -> tensor<1x12xi32> loc("main:0 STABLEHLO_GATHER 't2'")
    %16 = "tosa.gather"(%13, %15) : (tensor<1x6x1xf32>, tensor<1x12xi32>) -> tensor<1x12x1xf32> loc("main:0 STABLEHLO_GATHER 't2'")
    %17 = "tosa.const_shape"() <{values = dense<[4, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 STABLEHLO_GATHER 't2'")
    %18 = "tosa.reshape"(%16, %17) : (tensor<1x12x1xf32>, !tosa.shape<2>) -> tensor<4x3xf32> loc("main:0 STABLEHLO_GATHER 't2'")
    return %18 : tensor<4x3xf32>
  }
}
