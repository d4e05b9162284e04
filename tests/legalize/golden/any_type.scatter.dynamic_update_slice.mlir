// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x2x3x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t3"}) {
    %2 = "tfl.pseudo_const"() <{values = dense<[0, 1, 9, 0]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %3 = "tfl.dynamic_update_slice"(%arg0, %arg1, %2) : (tensor<1x4x4x2xf32>, tensor<1x2x3x2xf32>, tensor<4xi32>) -> tensor<1x4x4x2xf32>
    return %3 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x2x3x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t3"}) {
    %2 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32>
    %4 = "tosa.const"() <{values = dense<[[5, 6, 7, 9, 10, 11]]> : tensor<1x6xi32>}> : () -> tensor<1x6xi32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 6, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.reshape"(%arg1, %5) : (tensor<1x2x3x2xf32>, !tosa.shape<3>) -> tensor<1x6x2xf32>
    %7 = "tosa.scatter"(%3, %4, %6) : (tensor<1x16x2xf32>, tensor<1x6xi32>, tensor<1x6x2xf32>) -> tensor<1x16x2xf32>
    %8 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %9 = "tosa.reshape"(%7, %8) : (tensor<1x16x2xf32>, !tosa.shape<4>) -> tensor<1x4x4x2xf32>
    return %9 : tensor<1x4x4x2xf32>
  }
}
