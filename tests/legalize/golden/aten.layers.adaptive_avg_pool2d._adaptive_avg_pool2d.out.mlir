// before
module {
  func.func @"main"(%arg0: tensor<1x2x8x9xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x3x3xf32> {tosa.tensor_name = "output_9"}) {
    %1 = "aten._adaptive_avg_pool2d.out"(%arg0) <{output_size = array<i64: 3, 3>}> : (tensor<1x2x8x9xf32>) -> tensor<1x2x3x3xf32>
    return %1 : tensor<1x2x3x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x8x9xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x3x3xf32> {tosa.tensor_name = "output_9"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 16, 9]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x2x8x9xf32>, !tosa.shape<3>) -> tensor<1x16x9xf32>
    %3 = "tosa.const"() <{values = dense<sha256 bf70fe45375dde3c> : tensor<1x9x3xf32>}> : () -> tensor<1x9x3xf32>
    %4 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %5 = "tosa.matmul"(%2, %3, %4, %4) : (tensor<1x16x9xf32>, tensor<1x9x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x3xf32>
    %6 = "tosa.const_shape"() <{values = dense<[1, 2, 8, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %7 = "tosa.reshape"(%5, %6) : (tensor<1x16x3xf32>, !tosa.shape<4>) -> tensor<1x2x8x3xf32>
    %8 = "tosa.transpose"(%7) <{perms = array<i32: 0, 1, 3, 2>}> : (tensor<1x2x8x3xf32>) -> tensor<1x2x3x8xf32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 6, 8]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x2x3x8xf32>, !tosa.shape<3>) -> tensor<1x6x8xf32>
    %11 = "tosa.const"() <{values = dense<sha256 fd2e00152783838c> : tensor<1x8x3xf32>}> : () -> tensor<1x8x3xf32>
    %12 = "tosa.matmul"(%10, %11, %4, %4) : (tensor<1x6x8xf32>, tensor<1x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x3xf32>
    %13 = "tosa.const_shape"() <{values = dense<[1, 2, 3, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %14 = "tosa.reshape"(%12, %13) : (tensor<1x6x3xf32>, !tosa.shape<4>) -> tensor<1x2x3x3xf32>
    %15 = "tosa.transpose"(%14) <{perms = array<i32: 0, 1, 3, 2>}> : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
    return %15 : tensor<1x2x3x3xf32>
  }
}
