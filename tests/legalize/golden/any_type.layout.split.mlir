// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x1xf32> {tosa.tensor_name = "t2"}, tensor<1x4x4x1xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %2, %3 = "tfl.split"(%1, %arg0) <{num_splits = 2 : i64}> : (tensor<i32>, tensor<1x4x4x2xf32>) -> (tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>)
    return %2, %3 : tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x1xf32> {tosa.tensor_name = "t2"}, tensor<1x4x4x1xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x4x1xf32>
    %4 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.slice"(%arg0, %4, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x4x1xf32>
    return %3, %5 : tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>
  }
}
