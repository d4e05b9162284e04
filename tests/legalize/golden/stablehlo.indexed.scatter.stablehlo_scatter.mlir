// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<4x1xi32> {tosa.tensor_name = "t1"}, %arg2: tensor<4x3xf32> {tosa.tensor_name = "t2"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tfl.stablehlo_scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64, unique_indices = false, update_computation_subgraph_index = 1 : i64}> ({
      ^bb0(%4: tensor<f32>, %5: tensor<f32>):
        %6 = "tfl.stablehlo_add"(%4, %5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "tosa.yield"(%6) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<2x3xf32>
    return %3 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<4x1xi32> {tosa.tensor_name = "t1"}, %arg2: tensor<4x3xf32> {tosa.tensor_name = "t2"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tosa.const_shape"() <{values = dense<[6, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %4 = "tosa.reshape"(%arg0, %3) : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<6x1xf32>
    %5 = "tosa.const"() <{values = dense<[[0], [1], [2], [3], [4], [5]]> : tensor<6x1xi32>}> : () -> tensor<6x1xi32>
    %6 = "tosa.const"() <{values = dense<[[true]]> : tensor<1x1xi1>}> : () -> tensor<1x1xi1>
    %7 = "tosa.const"() <{values = dense<[[0, 0, 0]]> : tensor<1x3xi32>}> : () -> tensor<1x3xi32>
    %8 = "tosa.add"(%arg1, %7) : (tensor<4x1xi32>, tensor<1x3xi32>) -> tensor<4x3xi32>
    %9 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %10 = "tosa.greater_equal"(%8, %9) : (tensor<4x3xi32>, tensor<1x1xi32>) -> tensor<4x3xi1>
    %11 = "tosa.const"() <{values = dense<[[2]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %12 = "tosa.greater"(%11, %8) : (tensor<1x1xi32>, tensor<4x3xi32>) -> tensor<4x3xi1>
    %13 = "tosa.logical_and"(%10, %12) : (tensor<4x3xi1>, tensor<4x3xi1>) -> tensor<4x3xi1>
    %14 = "tosa.logical_and"(%6, %13) : (tensor<1x1xi1>, tensor<4x3xi1>) -> tensor<4x3xi1>
    %15 = "tosa.const"() <{values = dense<[[true, true, true], [true, true, true], [true, true, true], [true, true, true]]> : tensor<4x3xi1>}> : () -> tensor<4x3xi1>
    %16 = "tosa.logical_and"(%14, %15) : (tensor<4x3xi1>, tensor<4x3xi1>) -> tensor<4x3xi1>
    %17 = "tosa.const"() <{values = dense<[[3]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %18 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %19 = "tosa.mul"(%8, %17, %18) : (tensor<4x3xi32>, tensor<1x1xi32>, tensor<1xi8>) -> tensor<4x3xi32>
    %20 = "tosa.add"(%9, %19) : (tensor<1x1xi32>, tensor<4x3xi32>) -> tensor<4x3xi32>
    %21 = "tosa.const"() <{values = dense<[[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]> : tensor<4x3xi32>}> : () -> tensor<4x3xi32>
    %22 = "tosa.add"(%20, %21) : (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi32>
    %23 = "tosa.const"() <{values = dense<[[-1]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %24 = "tosa.select"(%16, %22, %23) : (tensor<4x3xi1>, tensor<4x3xi32>, tensor<1x1xi32>) -> tensor<4x3xi32>
    %25 = "tosa.const_shape"() <{values = dense<[1, 12]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %26 = "tosa.reshape"(%24, %25) : (tensor<4x3xi32>, !tosa.shape<2>) -> tensor<1x12xi32>
    %27 = "tosa.equal"(%5, %26) : (tensor<6x1xi32>, tensor<1x12xi32>) -> tensor<6x12xi1>
    %28 = "tosa.reshape"(%arg2, %25) : (tensor<4x3xf32>, !tosa.shape<2>) -> tensor<1x12xf32>
    %29 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %30 = "tosa.select"(%27, %28, %29) : (tensor<6x12xi1>, tensor<1x12xf32>, tensor<1x1xf32>) -> tensor<6x12xf32>
    %31 = "tosa.reduce_sum"(%30) <{axis = 1 : i32}> : (tensor<6x12xf32>) -> tensor<6x1xf32>
    %32 = "tosa.add"(%4, %31) : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
    %33 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %34 = "tosa.reshape"(%32, %33) : (tensor<6x1xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
    return %34 : tensor<2x3xf32>
  }
}
