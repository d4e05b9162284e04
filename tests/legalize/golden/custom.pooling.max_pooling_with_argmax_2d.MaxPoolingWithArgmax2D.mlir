// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x2x2xf32> {tosa.tensor_name = "t1"}, tensor<1x2x2x2xf32> {tosa.tensor_name = "t2"}) {
    %1, %2 = "tfl.custom"(%arg0) <{custom_code = "MaxPoolingWithArgmax2D", custom_options = "\01\00\00\00\02\00\00\00\02\00\00\00\02\00\00\00\02\00\00\00\00\00\00\00"}> : (tensor<1x4x4x2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>)
    return %1, %2 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x2x2xf32> {tosa.tensor_name = "t1"}, tensor<1x2x2x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32>
    %3 = "tosa.const"() <{values = dense<[[0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]]> : tensor<1x16xi32>}> : () -> tensor<1x16xi32>
    %4 = "tosa.gather"(%2, %3) : (tensor<1x16x2xf32>, tensor<1x16xi32>) -> tensor<1x16x2xf32>
    %5 = "tosa.const_shape"() <{values = dense<[4, 4, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x16x2xf32>, !tosa.shape<3>) -> tensor<4x4x2xf32>
    %7 = "tosa.reduce_max"(%6) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<4x4x2xf32>) -> tensor<4x1x2xf32>
    %8 = "tosa.clamp"(%7) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<4x1x2xf32>) -> tensor<4x1x2xf32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 2, 2, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %10 = "tosa.reshape"(%8, %9) : (tensor<4x1x2xf32>, !tosa.shape<4>) -> tensor<1x2x2x2xf32>
    %11 = "tosa.const"() <{values = dense<[[[0.10000000149011612], [1.100000023841858], [2.0999999046325684], [3.0999999046325684], [0.10000000149011612], [1.100000023841858], [2.0999999046325684], [3.0999999046325684], [0.10000000149011612], [1.100000023841858], [2.0999999046325684], [3.0999999046325684], [0.10000000149011612], [1.100000023841858], [2.0999999046325684], [3.0999999046325684]]]> : tensor<1x16x1xf32>}> : () -> tensor<1x16x1xf32>
    %12 = "tosa.argmax"(%6) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<4x4x2xf32>) -> tensor<4x2xi32>
    %13 = "tosa.const"() <{values = dense<[[0], [4], [8], [12]]> : tensor<4x1xi32>}> : () -> tensor<4x1xi32>
    %14 = "tosa.add"(%12, %13) : (tensor<4x2xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %15 = "tosa.const_shape"() <{values = dense<[1, 8]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %16 = "tosa.reshape"(%14, %15) : (tensor<4x2xi32>, !tosa.shape<2>) -> tensor<1x8xi32>
    %17 = "tosa.gather"(%11, %16) : (tensor<1x16x1xf32>, tensor<1x8xi32>) -> tensor<1x8x1xf32>
    %18 = "tosa.reshape"(%17, %9) : (tensor<1x8x1xf32>, !tosa.shape<4>) -> tensor<1x2x2x2xf32>
    return %10, %18 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
  }
}
