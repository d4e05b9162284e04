// before
module {
  func.func @"main"(%arg0: tensor<1x6x6x3xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x2x3x3xf32> {tosa.tensor_name = "v1"}, tensor<1x2x3x3xi32> {tosa.tensor_name = "v2"}) {
    %1, %2 = "xnn.arg_max_pooling_2d"(%arg0) <{padding_top = 0 : i64, padding_right = 0 : i64, padding_bottom = 0 : i64, padding_left = 0 : i64, pooling_height = 3 : i64, pooling_width = 2 : i64, flags = 0 : i64}> : (tensor<1x6x6x3xf32>) -> (tensor<1x2x3x3xf32>, tensor<1x2x3x3xi32>)
    return %1, %2 : tensor<1x2x3x3xf32>, tensor<1x2x3x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x6x6x3xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x2x3x3xf32> {tosa.tensor_name = "v1"}, tensor<1x2x3x3xi32> {tosa.tensor_name = "v2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 2, 3, 3, 2, 3]> : tensor<6xindex>}> : () -> !tosa.shape<6>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x6x6x3xf32>, !tosa.shape<6>) -> tensor<1x2x3x3x2x3xf32>
    %3 = "tosa.transpose"(%2) <{perms = array<i32: 0, 1, 3, 4, 2, 5>}> : (tensor<1x2x3x3x2x3xf32>) -> tensor<1x2x3x2x3x3xf32>
    %4 = "tosa.const_shape"() <{values = dense<[6, 6, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x2x3x2x3x3xf32>, !tosa.shape<3>) -> tensor<6x6x3xf32>
    %6 = "tosa.reduce_max"(%5) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<6x6x3xf32>) -> tensor<6x1x3xf32>
    %7 = "tosa.const_shape"() <{values = dense<[1, 2, 3, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %8 = "tosa.reshape"(%6, %7) : (tensor<6x1x3xf32>, !tosa.shape<4>) -> tensor<1x2x3x3xf32>
    %9 = "tosa.argmax"(%5) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<6x6x3xf32>) -> tensor<6x3xi32>
    %10 = "tosa.reshape"(%9, %7) : (tensor<6x3xi32>, !tosa.shape<4>) -> tensor<1x2x3x3xi32>
    return %8, %10 : tensor<1x2x3x3xf32>, tensor<1x2x3x3xi32>
  }
}
