// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_dot_general"(%arg0, %arg1) <{lhs_batching_dimensions = array<i64: >, rhs_batching_dimensions = array<i64: >, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 1>, precision_config = array<i64: >}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const_shape"() <{values = dense<[1, 2, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<2x3xf32>, !tosa.shape<3>) -> tensor<1x2x3xf32>
    %4 = "tosa.transpose"(%arg1) <{perms = array<i32: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 3, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.reshape"(%4, %5) : (tensor<3x2xf32>, !tosa.shape<3>) -> tensor<1x3x2xf32>
    %7 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %8 = "tosa.matmul"(%3, %6, %7, %7) : (tensor<1x2x3xf32>, tensor<1x3x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2xf32>
    %9 = "tosa.const_shape"() <{values = dense<[2, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x2x2xf32>, !tosa.shape<2>) -> tensor<2x2xf32>
    return %10 : tensor<2x2xf32>
  }
}
