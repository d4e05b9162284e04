// before
module {
  func.func @"main"(%arg0: tensor<1x6x6x3xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x2x3x3xf32> {tosa.tensor_name = "v1"}, tensor<1x2x3x3xi32> {tosa.tensor_name = "v2"}) {
    %1, %2 = "xnn.arg_max_pooling_2d"(%arg0) <{padding_top = 0 : i64, padding_right = 0 : i64, padding_bottom = 0 : i64, padding_left = 0 : i64, pooling_height = 3 : i64, pooling_width = 2 : i64, flags = 0 : i64}> : (tensor<1x6x6x3xf32>) -> (tensor<1x2x3x3xf32>, tensor<1x2x3x3xi32>) loc("main:0 XNNArgMaxPooling2d handle 0")
    return %1, %2 : tensor<1x2x3x3xf32>, tensor<1x2x3x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x6x6x3xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x2x3x3xf32> {tosa.tensor_name = "v1"}, tensor<1x2x3x3xi32> {tosa.tensor_name = "v2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 2, 3, 3, 2, 3]> : tensor<6xindex>}> : () -> !tosa.shape<6> loc("main:0 XNNArgMaxPooling2d handle 0")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x6x6x3xf32>, !tosa.shape<6>) -> tensor<1x2x3x3x2x3xf32> loc("main:0 XNNArgMaxPooling2d handle 0")
    %3 = "tosa.transpose"(%2) <{perms = array<i32: 0, 1, 3, 4, 2, 5>}> : (tensor<1x2x3x3x2x3xf32>) -> tensor<1x2x3x2x3x3xf32> loc("main:0 XNNArgMaxPooling2d handle 0")
    %4 = "tosa.const_shape"() <{values = dense<[6, 6, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 XNNArgMaxPooling2d handle 0")
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x2x3x2x3x3xf32>, !tosa.shape<3>) -> tensor<6x6x3xf32> loc("main:0 XNNArgMaxPooling2d handle 0")
    %6 = "tosa.argmax"(%5) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<6x6x3xf32>) -> tensor<6x3xi32> loc("main:0 XNNArgMaxPooling2d handle 0")
    %7 = "tosa.reduce_max"(%5) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<6x6x3xf32>) -> tensor<6x1x3xf32> loc("main:0 XNNArgMaxPooling2d handle 0")
    %8 = "tosa.const_shape"() <{values = dense<[1, 2, 3, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 XNNArgMaxPooling2d handle 0")
    %9 = "tosa.reshape"(%7, %8) : (tensor<6x1x3xf32>, !tosa.shape<4>) -> tensor<1x2x3x3xf32> loc("main:0 XNNArgMaxPooling2d handle 0")
    %10 = "tosa.reshape"(%6, %8) : (tensor<6x3xi32>, !tosa.shape<4>) -> tensor<1x2x3x3xi32> loc("main:0 XNNArgMaxPooling2d handle 0")
    return %9, %10 : tensor<1x2x3x3xf32>, tensor<1x2x3x3xi32>
  }
}
