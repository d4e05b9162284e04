// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}, tensor<2x3xi32> {tosa.tensor_name = "t3"}) {
    %2, %3 = "tfl.stablehlo_sort"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = false, comparator_subgraph_index = 1 : i64}> ({
      ^bb0(%4: tensor<f32>, %5: tensor<f32>, %6: tensor<f32>, %7: tensor<f32>):
        %8 = "tfl.stablehlo_compare"(%4, %5) <{comparison_direction = "STABLEHLO_COMPARISON_DIRECTION_GT", compare_type = "STABLEHLO_COMPARISON_TYPE_NOTYPE"}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
        "tosa.yield"(%8) : (tensor<i1>) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
    return %2, %3 : tensor<2x3xf32>, tensor<2x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xi32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}, tensor<2x3xi32> {tosa.tensor_name = "t3"}) {
    %2 = "tosa.transpose"(%arg0) <{perms = array<i32: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %3 = "tosa.const_shape"() <{values = dense<[3, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%2, %3) : (tensor<3x2xf32>, !tosa.shape<3>) -> tensor<3x2x1xf32>
    %5 = "tosa.const"() <{values = dense<[[[false, false], [true, false]]]> : tensor<1x2x2xi1>}> : () -> tensor<1x2x2xi1>
    %6 = "tosa.equal"(%2, %2) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xi1>
    %7 = "tosa.const"() <{values = dense<[[-inf]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %8 = "tosa.select"(%6, %2, %7) : (tensor<3x2xi1>, tensor<3x2xf32>, tensor<1x1xf32>) -> tensor<3x2xf32>
    %9 = "tosa.const_shape"() <{values = dense<[3, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.reshape"(%8, %9) : (tensor<3x2xf32>, !tosa.shape<3>) -> tensor<3x1x2xf32>
    %11 = "tosa.reshape"(%8, %3) : (tensor<3x2xf32>, !tosa.shape<3>) -> tensor<3x2x1xf32>
    %12 = "tosa.greater_equal"(%10, %11) : (tensor<3x1x2xf32>, tensor<3x2x1xf32>) -> tensor<3x2x2xi1>
    %13 = "tosa.greater"(%10, %11) : (tensor<3x1x2xf32>, tensor<3x2x1xf32>) -> tensor<3x2x2xi1>
    %14 = "tosa.select"(%5, %12, %13) : (tensor<1x2x2xi1>, tensor<3x2x2xi1>, tensor<3x2x2xi1>) -> tensor<3x2x2xi1>
    %15 = "tosa.cast"(%14) : (tensor<3x2x2xi1>) -> tensor<3x2x2xi32>
    %16 = "tosa.reduce_sum"(%15) <{axis = 2 : i32}> : (tensor<3x2x2xi32>) -> tensor<3x2x1xi32>
    %17 = "tosa.reshape"(%16, %9) : (tensor<3x2x1xi32>, !tosa.shape<3>) -> tensor<3x1x2xi32>
    %18 = "tosa.const"() <{values = dense<[[[0], [1]]]> : tensor<1x2x1xi32>}> : () -> tensor<1x2x1xi32>
    %19 = "tosa.equal"(%17, %18) : (tensor<3x1x2xi32>, tensor<1x2x1xi32>) -> tensor<3x2x2xi1>
    %20 = "tosa.const"() <{values = dense<[[[0, 1]]]> : tensor<1x1x2xi32>}> : () -> tensor<1x1x2xi32>
    %21 = "tosa.const"() <{values = dense<[[[0]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %22 = "tosa.select"(%19, %20, %21) : (tensor<3x2x2xi1>, tensor<1x1x2xi32>, tensor<1x1x1xi32>) -> tensor<3x2x2xi32>
    %23 = "tosa.reduce_sum"(%22) <{axis = 2 : i32}> : (tensor<3x2x2xi32>) -> tensor<3x2x1xi32>
    %24 = "tosa.const_shape"() <{values = dense<[3, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %25 = "tosa.reshape"(%23, %24) : (tensor<3x2x1xi32>, !tosa.shape<2>) -> tensor<3x2xi32>
    %26 = "tosa.gather"(%4, %25) : (tensor<3x2x1xf32>, tensor<3x2xi32>) -> tensor<3x2x1xf32>
    %27 = "tosa.reshape"(%26, %24) : (tensor<3x2x1xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
    %28 = "tosa.transpose"(%27) <{perms = array<i32: 1, 0>}> : (tensor<3x2xf32>) -> tensor<2x3xf32>
    %29 = "tosa.transpose"(%arg1) <{perms = array<i32: 1, 0>}> : (tensor<2x3xi32>) -> tensor<3x2xi32>
    %30 = "tosa.reshape"(%29, %3) : (tensor<3x2xi32>, !tosa.shape<3>) -> tensor<3x2x1xi32>
    %31 = "tosa.gather"(%30, %25) : (tensor<3x2x1xi32>, tensor<3x2xi32>) -> tensor<3x2x1xi32>
    %32 = "tosa.reshape"(%31, %24) : (tensor<3x2x1xi32>, !tosa.shape<2>) -> tensor<3x2xi32>
    %33 = "tosa.transpose"(%32) <{perms = array<i32: 1, 0>}> : (tensor<3x2xi32>) -> tensor<2x3xi32>
    return %28, %33 : tensor<2x3xf32>, tensor<2x3xi32>
  }
}
