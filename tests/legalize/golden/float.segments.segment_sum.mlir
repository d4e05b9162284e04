// before
module {
  func.func @"main"(%arg0: tensor<4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<3x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[0, 0, 1, 2]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %2 = "tfl.segment_sum"(%arg0, %1) : (tensor<4x2xf32>, tensor<4xi32>) -> tensor<3x2xf32>
    return %2 : tensor<3x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<3x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 4, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<4x2xf32>, !tosa.shape<3>) -> tensor<1x4x2xf32>
    %3 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 1, 0, 0]> : tensor<6xindex>}> : () -> !tosa.shape<6>
    %4 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %5 = "tosa.pad"(%2, %3, %4) : (tensor<1x4x2xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<1x5x2xf32>
    %6 = "tosa.const"() <{values = dense<[[0, 1, 2, 4, 3, 4]]> : tensor<1x6xi32>}> : () -> tensor<1x6xi32>
    %7 = "tosa.gather"(%5, %6) : (tensor<1x5x2xf32>, tensor<1x6xi32>) -> tensor<1x6x2xf32>
    %8 = "tosa.const_shape"() <{values = dense<[3, 2, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %9 = "tosa.reshape"(%7, %8) : (tensor<1x6x2xf32>, !tosa.shape<3>) -> tensor<3x2x2xf32>
    %10 = "tosa.reduce_sum"(%9) <{axis = 1 : i32}> : (tensor<3x2x2xf32>) -> tensor<3x1x2xf32>
    %11 = "tosa.const_shape"() <{values = dense<[3, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %12 = "tosa.reshape"(%10, %11) : (tensor<3x1x2xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
    return %12 : tensor<3x2xf32>
  }
}
