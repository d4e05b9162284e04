// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.average_pool_2d"(%arg0) <{padding = "SAME", stride_w = 1 : i64, stride_h = 1 : i64, filter_width = 2 : i64, filter_height = 2 : i64, fused_activation_function = "NONE"}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %1 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.avg_pool2d"(%arg0, %1, %1) <{kernel = array<i64: 2, 2>, stride = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 1>, acc_type = f32}> : (tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
    return %2 : tensor<1x4x4x2xf32>
  }
}
