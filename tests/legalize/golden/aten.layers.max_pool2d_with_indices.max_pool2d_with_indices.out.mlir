// before
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x4x4x4xf32> {tosa.tensor_name = ""}, tensor<1x4x4x4xi64> {tosa.tensor_name = "output_1"}) {
    %1, %2 = "aten.max_pool2d_with_indices.out"(%arg0) <{kernel_size = array<i64: 2, 2>, stride = array<i64: >, padding = array<i64: 0, 0>, dilation = array<i64: 1, 1>, ceil_mode = false}> : (tensor<1x4x8x8xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xi64>) loc("forward:2 aten::max_pool2d_with_indices.out")
    return %1, %2 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x4x4x4xf32> {tosa.tensor_name = ""}, tensor<1x4x4x4xi32> {tosa.tensor_name = "output_1"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x4x8x8xf32>) -> tensor<1x8x8x4xf32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %2 = "tosa.const_shape"() <{values = dense<[1, 64, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("forward:2 aten::max_pool2d_with_indices.out")
    %3 = "tosa.reshape"(%1, %2) : (tensor<1x8x8x4xf32>, !tosa.shape<3>) -> tensor<1x64x4xf32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %4 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x64xi32>}> : () -> tensor<1x64xi32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %5 = "tosa.gather"(%3, %4) : (tensor<1x64x4xf32>, tensor<1x64xi32>) -> tensor<1x64x4xf32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %6 = "tosa.const_shape"() <{values = dense<[1, 16, 4, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("forward:2 aten::max_pool2d_with_indices.out")
    %7 = "tosa.reshape"(%5, %6) : (tensor<1x64x4xf32>, !tosa.shape<4>) -> tensor<1x16x4x4xf32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %8 = "tosa.argmax"(%7) <{axis = 2 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x16x4x4xf32>) -> tensor<1x16x4xi32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %9 = "tosa.const"() <{values = dense<"0x0000000004000000080000000C0000001000000014000000180000001C0000002000000024000000280000002C0000003000000034000000380000003C000000"> : tensor<1x16x1xi32>}> : () -> tensor<1x16x1xi32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %10 = "tosa.add"(%8, %9) : (tensor<1x16x4xi32>, tensor<1x16x1xi32>) -> tensor<1x16x4xi32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %11 = "tosa.const_shape"() <{values = dense<[1, 64]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("forward:2 aten::max_pool2d_with_indices.out")
    %12 = "tosa.reshape"(%10, %11) : (tensor<1x16x4xi32>, !tosa.shape<2>) -> tensor<1x64xi32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %13 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x64x1xi32>}> : () -> tensor<1x64x1xi32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %14 = "tosa.gather"(%13, %12) : (tensor<1x64x1xi32>, tensor<1x64xi32>) -> tensor<1x64x1xi32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %15 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("forward:2 aten::max_pool2d_with_indices.out")
    %16 = "tosa.reshape"(%14, %15) : (tensor<1x64x1xi32>, !tosa.shape<4>) -> tensor<1x4x4x4xi32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %17 = "tosa.max_pool2d"(%1) <{kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %18 = "tosa.transpose"(%17) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> loc("forward:2 aten::max_pool2d_with_indices.out")
    %19 = "tosa.transpose"(%16) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x4x4x4xi32>) -> tensor<1x4x4x4xi32> loc("forward:2 aten::max_pool2d_with_indices.out")
    return %18, %19 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xi32>
  }
}
