// before
module {
  func.func @"main"(%arg0: tensor<3xf32> {tosa.tensor_name = "t2"}, %arg1: tensor<f32> {tosa.tensor_name = "t3"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t4"}) {
    %2 = "tfl.pseudo_const"() <{values = dense<[[0, 1], [1, 1], [1, 1]]> : tensor<3x2xi32>}> : () -> tensor<3x2xi32>
    %3 = "tfl.pseudo_const"() <{values = dense<[2, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %4 = "tfl.sparse_to_dense"(%2, %3, %arg0, %arg1) <{validate_indices = false}> : (tensor<3x2xi32>, tensor<2xi32>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
    return %4 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3xf32> {tosa.tensor_name = "t2"}, %arg1: tensor<f32> {tosa.tensor_name = "t3"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t4"}) {
    %2 = "tosa.const_shape"() <{values = dense<[1, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg1, %2) : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%arg0, %4) : (tensor<3xf32>, !tosa.shape<3>) -> tensor<1x3x1xf32>
    %6 = "tosa.concat"(%3, %5) <{axis = 1 : i32}> : (tensor<1x1x1xf32>, tensor<1x3x1xf32>) -> tensor<1x4x1xf32>
    %7 = "tosa.const"() <{values = dense<[[0, 1, 0, 0, 3, 0]]> : tensor<1x6xi32>}> : () -> tensor<1x6xi32>
    %8 = "tosa.gather"(%6, %7) : (tensor<1x4x1xf32>, tensor<1x6xi32>) -> tensor<1x6x1xf32>
    %9 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x6x1xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
    return %10 : tensor<2x3xf32>
  }
}
