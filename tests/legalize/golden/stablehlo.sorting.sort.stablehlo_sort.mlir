// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}, tensor<2x3xi32> {tosa.tensor_name = "t3"}) {
    %2, %3 = "tfl.stablehlo_sort"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = false, comparator_subgraph_index = 1 : i64}> ({
      ^bb0(%4: tensor<f32>, %5: tensor<f32>, %6: tensor<f32>, %7: tensor<f32>):
        %8 = "tfl.stablehlo_compare"(%4, %5) <{comparison_direction = "STABLEHLO_COMPARISON_DIRECTION_GT", compare_type = "STABLEHLO_COMPARISON_TYPE_NOTYPE"}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("called_0:0 STABLEHLO_COMPARE 't4'")
        "tosa.yield"(%8) : (tensor<i1>) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) loc("main:0 STABLEHLO_SORT 't2'")
    return %2, %3 : tensor<2x3xf32>, tensor<2x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}, tensor<2x3xi32> {tosa.tensor_name = "t3"}) {
    %2 = "tosa.transpose"(%arg0) <{perms = array<i32: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32> loc("main:0 STABLEHLO_SORT 't2'")
    %3 = "tosa.transpose"(%arg1) <{perms = array<i32: 1, 0>}> : (tensor<2x3xi32>) -> tensor<3x2xi32> loc("main:0 STABLEHLO_SORT 't2'")
    %4 = "tosa.equal"(%2, %2) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xi1> loc("main:0 STABLEHLO_SORT 't2'")
    %5 = "tosa.const"() <{values = dense<"0x000080FF"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 STABLEHLO_SORT 't2'")
    %6 = "tosa.select"(%4, %2, %5) : (tensor<3x2xi1>, tensor<3x2xf32>, tensor<1x1xf32>) -> tensor<3x2xf32> loc("main:0 STABLEHLO_SORT 't2'")
    %7 = "tosa.const_shape"() <{values = dense<[3, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 STABLEHLO_SORT 't2'")
    %8 = "tosa.reshape"(%6, %7) : (tensor<3x2xf32>, !tosa.shape<3>) -> tensor<3x2x1xf32> loc("main:0 STABLEHLO_SORT 't2'")
    %9 = "tosa.const_shape"() <{values = dense<[3, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 STABLEHLO_SORT 't2'")
    %10 = "tosa.reshape"(%6, %9) : (tensor<3x2xf32>, !tosa.shape<3>) -> tensor<3x1x2xf32> loc("main:0 STABLEHLO_SORT 't2'")
    %11 = "tosa.greater_equal"(%10, %8) : (tensor<3x1x2xf32>, tensor<3x2x1xf32>) -> tensor<3x2x2xi1> loc("main:0 STABLEHLO_SORT 't2'")
    %12 = "tosa.greater"(%10, %8) : (tensor<3x1x2xf32>, tensor<3x2x1xf32>) -> tensor<3x2x2xi1> loc("main:0 STABLEHLO_SORT 't2'")
    %13 = "tosa.const"() <{values = dense<[[[false, false], [true, false]]]> : tensor<1x2x2xi1>}> : () -> tensor<1x2x2xi1> loc("main:0 STABLEHLO_SORT 't2'")
    %14 = "tosa.select"(%13, %11, %12) : (tensor<1x2x2xi1>, tensor<3x2x2xi1>, tensor<3x2x2xi1>) -> tensor<3x2x2xi1> loc("main:0 STABLEHLO_SORT 't2'")
    %15 = "tosa.cast"(%14) : (tensor<3x2x2xi1>) -> tensor<3x2x2xi32> loc("main:0 STABLEHLO_SORT 't2'")
    %16 = "tosa.reduce_sum"(%15) <{axis = 2 : i32}> : (tensor<3x2x2xi32>) -> tensor<3x2x1xi32> loc("main:0 STABLEHLO_SORT 't2'")
    %17 = "tosa.reshape"(%16, %9) : (tensor<3x2x1xi32>, !tosa.shape<3>) -> tensor<3x1x2xi32> loc("main:0 STABLEHLO_SORT 't2'")
    %18 = "tosa.const"() <{values = dense<"0x0000000001000000"> : tensor<1x2x1xi32>}> : () -> tensor<1x2x1xi32> loc("main:0 STABLEHLO_SORT 't2'")
    %19 = "tosa.equal"(%17, %18) : (tensor<3x1x2xi32>, tensor<1x2x1xi32>) -> tensor<3x2x2xi1> loc("main:0 STABLEHLO_SORT 't2'")
    %20 = "tosa.const"() <{values = dense<"0x0000000001000000"> : tensor<1x1x2xi32>}> : () -> tensor<1x1x2xi32> loc("main:0 STABLEHLO_SORT 't2'")
    %21 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32> loc("main:0 STABLEHLO_SORT 't2'")
    %22 = "tosa.select"(%19, %20, %21) : (tensor<3x2x2xi1>, tensor<1x1x2xi32>, tensor<1x1x1xi32>) -> tensor<3x2x2xi32> loc("main:0 STABLEHLO_SORT 't2'")
    %23 = "tosa.reduce_sum"(%22) <{axis = 2 : i32}> : (tensor<3x2x2xi32>) -> tensor<3x2x1xi32> loc("main:0 STABLEHLO_SORT 't2'")
    %24 = "tosa.const_shape"() <{values = dense<[3, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 STABLEHLO_SORT 't2'")
    %25 = "tosa.reshape"(%23, %24) : (tensor<3x2x1xi32>, !tosa.shape<2>) -> tensor<3x2xi32> loc("main:0 STABLEHLO_SORT 't2'")
    %26 = "tosa.reshape"(%2, %7) : (tensor<3x2xf32>, !tosa.shape<3>) -> tensor<3x2x1xf32> loc("main:0 STABLEHLO_SORT 't2'")
    %27 = "tosa.gather"(%26, %25) : (tensor<3x2x1xf32>, tensor<3x2xi32>) -> tensor<3x2x1xf32> loc("main:0 STABLEHLO_SORT 't2'")
    %28 = "tosa.reshape"(%3, %7) : (tensor<3x2xi32>, !tosa.shape<3>) -> tensor<3x2x1xi32> loc("main:0 STABLEHLO_SORT 't2'")
    %29 = "tosa.gather"(%28, %25) : (tensor<3x2x1xi32>, tensor<3x2xi32>) -> tensor<3x2x1xi32> loc("main:0 STABLEHLO_SORT 't2'")
    %30 = "tosa.reshape"(%27, %24) : (tensor<3x2x1xf32>, !tosa.shape<2>) -> tensor<3x2xf32> loc("main:0 STABLEHLO_SORT 't2'")
    %31 = "tosa.reshape"(%29, %24) : (tensor<3x2x1xi32>, !tosa.shape<2>) -> tensor<3x2xi32> loc("main:0 STABLEHLO_SORT 't2'")
    %32 = "tosa.transpose"(%30) <{perms = array<i32: 1, 0>}> : (tensor<3x2xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_SORT 't2'")
    %33 = "tosa.transpose"(%31) <{perms = array<i32: 1, 0>}> : (tensor<3x2xi32>) -> tensor<2x3xi32> loc("main:0 STABLEHLO_SORT 't2'")
    return %32, %33 : tensor<2x3xf32>, tensor<2x3xi32>
  }
}
