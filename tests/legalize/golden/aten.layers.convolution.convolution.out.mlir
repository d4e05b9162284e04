// before
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x6x4x4xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "xnn.const"() <{values = dense<sha256 571e0c6c0d03a135> : tensor<6x2x3x3xf32>}> : () -> tensor<6x2x3x3xf32>
    %2 = "xnn.const"() <{values = dense<[-0.09496381878852844, 0.028856148943305016, -0.052837058901786804, 0.13982616364955902, -0.2331472635269165, 0.017039885744452477]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %3 = "aten.convolution.out"(%arg0, %1, %2) <{stride = array<i64: 2, 2>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 2 : i64}> : (tensor<1x4x8x8xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>) -> tensor<1x6x4x4xf32>
    return %3 : tensor<1x6x4x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x6x4x4xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x4x8x8xf32>) -> tensor<1x8x8x4xf32>
    %2 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.const_shape"() <{values = dense<[1, 8, 8, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %4 = "tosa.slice"(%1, %2, %3) : (tensor<1x8x8x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x8x8x2xf32>
    %5 = "tosa.const"() <{values = dense<sha256 4dfe4e03e9d2b357> : tensor<3x3x3x2xf32>}> : () -> tensor<3x3x3x2xf32>
    %6 = "tosa.const"() <{values = dense<[-0.09496381878852844, 0.028856148943305016, -0.052837058901786804]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %7 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %8 = "tosa.conv2d"(%4, %5, %6, %7, %7) <{pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x8x8x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
    %9 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %10 = "tosa.slice"(%1, %9, %3) : (tensor<1x8x8x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x8x8x2xf32>
    %11 = "tosa.const"() <{values = dense<sha256 04d808f122a279ed> : tensor<3x3x3x2xf32>}> : () -> tensor<3x3x3x2xf32>
    %12 = "tosa.const"() <{values = dense<[0.13982616364955902, -0.2331472635269165, 0.017039885744452477]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %13 = "tosa.conv2d"(%10, %11, %12, %7, %7) <{pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x8x8x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
    %14 = "tosa.concat"(%8, %13) <{axis = 3 : i32}> : (tensor<1x4x4x3xf32>, tensor<1x4x4x3xf32>) -> tensor<1x4x4x6xf32>
    %15 = "tosa.transpose"(%14) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x4x4x6xf32>) -> tensor<1x6x4x4xf32>
    return %15 : tensor<1x6x4x4xf32>
  }
}
