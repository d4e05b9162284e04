// before
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x4x4x4xf32> {tosa.tensor_name = ""}, tensor<1x4x4x4xi64> {tosa.tensor_name = "output_1"}) {
    %1, %2 = "aten.max_pool2d_with_indices.out"(%arg0) <{kernel_size = array<i64: 2, 2>, stride = array<i64: >, padding = array<i64: 0, 0>, dilation = array<i64: 1, 1>, ceil_mode = false}> : (tensor<1x4x8x8xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xi64>)
    return %1, %2 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x4x4x4xf32> {tosa.tensor_name = ""}, tensor<1x4x4x4xi32> {tosa.tensor_name = "output_1"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x4x8x8xf32>) -> tensor<1x8x8x4xf32>
    %2 = "tosa.max_pool2d"(%1) <{kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
    %3 = "tosa.transpose"(%2) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %4 = "tosa.const"() <{values = dense<sha256 d945ae34118408fd> : tensor<1x64x1xi32>}> : () -> tensor<1x64x1xi32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 64, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.reshape"(%1, %5) : (tensor<1x8x8x4xf32>, !tosa.shape<3>) -> tensor<1x64x4xf32>
    %7 = "tosa.const"() <{values = dense<sha256 d945ae34118408fd> : tensor<1x64xi32>}> : () -> tensor<1x64xi32>
    %8 = "tosa.gather"(%6, %7) : (tensor<1x64x4xf32>, tensor<1x64xi32>) -> tensor<1x64x4xf32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 16, 4, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x64x4xf32>, !tosa.shape<4>) -> tensor<1x16x4x4xf32>
    %11 = "tosa.argmax"(%10) <{axis = 2 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x16x4x4xf32>) -> tensor<1x16x4xi32>
    %12 = "tosa.const"() <{values = dense<[[[0], [4], [8], [12], [16], [20], [24], [28], [32], [36], [40], [44], [48], [52], [56], [60]]]> : tensor<1x16x1xi32>}> : () -> tensor<1x16x1xi32>
    %13 = "tosa.add"(%11, %12) : (tensor<1x16x4xi32>, tensor<1x16x1xi32>) -> tensor<1x16x4xi32>
    %14 = "tosa.const_shape"() <{values = dense<[1, 64]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %15 = "tosa.reshape"(%13, %14) : (tensor<1x16x4xi32>, !tosa.shape<2>) -> tensor<1x64xi32>
    %16 = "tosa.gather"(%4, %15) : (tensor<1x64x1xi32>, tensor<1x64xi32>) -> tensor<1x64x1xi32>
    %17 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %18 = "tosa.reshape"(%16, %17) : (tensor<1x64x1xi32>, !tosa.shape<4>) -> tensor<1x4x4x4xi32>
    %19 = "tosa.transpose"(%18) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x4x4x4xi32>) -> tensor<1x4x4x4xi32>
    return %3, %19 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xi32>
  }
}
