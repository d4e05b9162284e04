// before
module {
  func.func @"main"(%arg0: tensor<1x2x8x9xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x4x5xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "aten.avg_pool2d.out"(%arg0) <{kernel_size = array<i64: 3, 3>, stride = array<i64: 2, 2>, padding = array<i64: 1, 1>, ceil_mode = false, count_include_pad = true, divisor_override = "None"}> : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x5xf32>
    return %1 : tensor<1x2x4x5xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x8x9xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x4x5xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x2x8x9xf32>) -> tensor<1x8x9x2xf32>
    %2 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>}> : () -> !tosa.shape<8>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tosa.pad"(%1, %2, %3) : (tensor<1x8x9x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x10x11x2xf32>
    %5 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %6 = "tosa.const_shape"() <{values = dense<[1, 9, 11, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %7 = "tosa.slice"(%4, %5, %6) : (tensor<1x10x11x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x9x11x2xf32>
    %8 = "tosa.avg_pool2d"(%7, %3, %3) <{kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32}> : (tensor<1x9x11x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x5x2xf32>
    %9 = "tosa.transpose"(%8) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x4x5x2xf32>) -> tensor<1x2x4x5xf32>
    return %9 : tensor<1x2x4x5xf32>
  }
}
