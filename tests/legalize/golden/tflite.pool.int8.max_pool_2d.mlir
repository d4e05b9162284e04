// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.max_pool_2d"(%arg0) <{padding = "SAME", stride_w = 1 : i64, stride_h = 1 : i64, filter_width = 2 : i64, filter_height = 2 : i64, fused_activation_function = "NONE"}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>>
    return %1 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 2, 2>, stride = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 1>, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
    return %1 : tensor<1x4x4x2xi8>
  }
}
