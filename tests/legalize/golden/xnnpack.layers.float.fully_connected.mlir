// before
module {
  func.func @"main"(%arg0: tensor<4x24xf32> {tosa.tensor_name = "v0"}) -> (tensor<4x6xf32> {tosa.tensor_name = "v3"}) {
    %1 = "xnn.const"() <{values = dense<sha256 c6742545897dccc2> : tensor<6x24xf32>}> : () -> tensor<6x24xf32>
    %2 = "xnn.const"() <{values = dense<[1.8743399381637573, 0.20375366508960724, 0.508255660533905, 0.2410239577293396, -1.1184035539627075, -0.42176035046577454]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %3 = "xnn.fully_connected"(%arg0, %1, %2) <{flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<4x24xf32>, tensor<6x24xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    return %3 : tensor<4x6xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xf32> {tosa.tensor_name = "v0"}) -> (tensor<4x6xf32> {tosa.tensor_name = "v3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[4, 1, 1, 24]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<4x24xf32>, !tosa.shape<4>) -> tensor<4x1x1x24xf32>
    %3 = "tosa.const"() <{values = dense<sha256 c6742545897dccc2> : tensor<6x1x1x24xf32>}> : () -> tensor<6x1x1x24xf32>
    %4 = "tosa.const"() <{values = dense<[1.8743399381637573, 0.20375366508960724, 0.508255660533905, 0.2410239577293396, -1.1184035539627075, -0.42176035046577454]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %5 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %6 = "tosa.conv2d"(%2, %3, %4, %5, %5) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<4x1x1x24xf32>, tensor<6x1x1x24xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x1x1x6xf32>
    %7 = "tosa.const_shape"() <{values = dense<[4, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %8 = "tosa.reshape"(%6, %7) : (tensor<4x1x1x6xf32>, !tosa.shape<2>) -> tensor<4x6xf32>
    %9 = "tosa.clamp"(%8) <{min_val = 0xBF000000 : f32, max_val = 0x3FA00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    return %9 : tensor<4x6xf32>
  }
}
