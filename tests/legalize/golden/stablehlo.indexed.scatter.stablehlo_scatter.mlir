// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<4x1xi32> {tosa.tensor_name = "t1"}, %arg2: tensor<4x3xf32> {tosa.tensor_name = "t2"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tfl.stablehlo_scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64, unique_indices = false, update_computation_subgraph_index = 1 : i64}> ({
      ^bb0(%4: tensor<f32>, %5: tensor<f32>):
        %6 = "tfl.stablehlo_add"(%4, %5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("called_0:0 STABLEHLO_ADD 't2'")
        "tosa.yield"(%6) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_SCATTER 't3'")
    return %3 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<4x1xi32> {tosa.tensor_name = "t1"}, %arg2: tensor<4x3xf32> {tosa.tensor_name = "t2"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tosa.const"() <{values = dense<"0x000000000000000000000000"> : tensor<1x3xi32>}> : () -> tensor<1x3xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %4 = "tosa.add"(%arg1, %3) : (tensor<4x1xi32>, tensor<1x3xi32>) -> tensor<4x3xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %5 = "tosa.const"() <{values = dense<"0x03000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %6 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 STABLEHLO_SCATTER 't3'")
    %7 = "tosa.mul"(%4, %5, %6) : (tensor<4x3xi32>, tensor<1x1xi32>, tensor<1xi8>) -> tensor<4x3xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %8 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %9 = "tosa.add"(%8, %7) : (tensor<1x1xi32>, tensor<4x3xi32>) -> tensor<4x3xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %10 = "tosa.greater_equal"(%4, %8) : (tensor<4x3xi32>, tensor<1x1xi32>) -> tensor<4x3xi1> loc("main:0 STABLEHLO_SCATTER 't3'")
    %11 = "tosa.const"() <{values = dense<"0x02000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %12 = "tosa.greater"(%11, %4) : (tensor<1x1xi32>, tensor<4x3xi32>) -> tensor<4x3xi1> loc("main:0 STABLEHLO_SCATTER 't3'")
    %13 = "tosa.logical_and"(%10, %12) : (tensor<4x3xi1>, tensor<4x3xi1>) -> tensor<4x3xi1> loc("main:0 STABLEHLO_SCATTER 't3'")
    %14 = "tosa.const"() <{values = dense<[[true]]> : tensor<1x1xi1>}> : () -> tensor<1x1xi1> loc("main:0 STABLEHLO_SCATTER 't3'")
    %15 = "tosa.logical_and"(%14, %13) : (tensor<1x1xi1>, tensor<4x3xi1>) -> tensor<4x3xi1> loc("main:0 STABLEHLO_SCATTER 't3'")
    %16 = "tosa.const"() <{values = dense<"0x000000000100000002000000000000000100000002000000000000000100000002000000000000000100000002000000"> : tensor<4x3xi32>}> : () -> tensor<4x3xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %17 = "tosa.add"(%9, %16) : (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %18 = "tosa.const"() <{values = dense<[[true, true, true], [true, true, true], [true, true, true], [true, true, true]]> : tensor<4x3xi1>}> : () -> tensor<4x3xi1> loc("main:0 STABLEHLO_SCATTER 't3'")
    %19 = "tosa.logical_and"(%15, %18) : (tensor<4x3xi1>, tensor<4x3xi1>) -> tensor<4x3xi1> loc("main:0 STABLEHLO_SCATTER 't3'")
    %20 = "tosa.const"() <{values = dense<"0xFFFFFFFF"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %21 = "tosa.select"(%19, %17, %20) : (tensor<4x3xi1>, tensor<4x3xi32>, tensor<1x1xi32>) -> tensor<4x3xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %22 = "tosa.const_shape"() <{values = dense<[1, 12]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 STABLEHLO_SCATTER 't3'")
    %23 = "tosa.reshape"(%21, %22) : (tensor<4x3xi32>, !tosa.shape<2>) -> tensor<1x12xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %24 = "tosa.const_shape"() <{values = dense<[4, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 STABLEHLO_SCATTER 't3'")
    %25 = "tosa.reshape"(%23, %24) : (tensor<1x12xi32>, !tosa.shape<2>) -> tensor<4x3xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %26 = "tosa.reshape"(%25, %22) : (tensor<4x3xi32>, !tosa.shape<2>) -> tensor<1x12xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %27 = "tosa.reshape"(%arg2, %22) : (tensor<4x3xf32>, !tosa.shape<2>) -> tensor<1x12xf32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %28 = "tosa.const_shape"() <{values = dense<[6, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 STABLEHLO_SCATTER 't3'")
    %29 = "tosa.reshape"(%arg0, %28) : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<6x1xf32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %30 = "tosa.const"() <{values = dense<"0x000000000100000002000000030000000400000005000000"> : tensor<6x1xi32>}> : () -> tensor<6x1xi32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %31 = "tosa.equal"(%30, %26) : (tensor<6x1xi32>, tensor<1x12xi32>) -> tensor<6x12xi1> loc("main:0 STABLEHLO_SCATTER 't3'")
    %32 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %33 = "tosa.select"(%31, %27, %32) : (tensor<6x12xi1>, tensor<1x12xf32>, tensor<1x1xf32>) -> tensor<6x12xf32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %34 = "tosa.reduce_sum"(%33) <{axis = 1 : i32}> : (tensor<6x12xf32>) -> tensor<6x1xf32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %35 = "tosa.add"(%29, %34) : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32> loc("main:0 STABLEHLO_SCATTER 't3'")
    %36 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 STABLEHLO_SCATTER 't3'")
    %37 = "tosa.reshape"(%35, %36) : (tensor<6x1xf32>, !tosa.shape<2>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_SCATTER 't3'")
    return %37 : tensor<2x3xf32>
  }
}
