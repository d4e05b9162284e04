// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x4x2xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x4x4x8x3xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 4, 4, 8, 3]> : tensor<5xi32>}> : () -> tensor<5xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<sha256 2be6dadf3e06a583> : tensor<2x2x2x3x2xf32>}> : () -> tensor<2x2x2x3x2xf32>
    %3 = "tfl.pseudo_const"() <{values = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %4 = "tfl.conv_3d_transpose"(%1, %2, %arg0, %3) <{padding = "SAME", stride_d = 1 : i64, stride_w = 2 : i64, stride_h = 1 : i64, fused_activation_function = "NONE", dilation_d_factor = 1 : i64, dilation_w_factor = 1 : i64, dilation_h_factor = 1 : i64}> : (tensor<5xi32>, tensor<2x2x2x3x2xf32>, tensor<1x4x4x4x2xf32>, tensor<3xf32>) -> tensor<1x4x4x8x3xf32>
    return %4 : tensor<1x4x4x8x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x4x2xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x4x4x8x3xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 4, 1, 2]> : tensor<6xindex>}> : () -> !tosa.shape<6>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x4x2xf32>, !tosa.shape<6>) -> tensor<1x4x4x4x1x2xf32>
    %3 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]> : tensor<12xindex>}> : () -> !tosa.shape<12>
    %4 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %5 = "tosa.pad"(%2, %3, %4) : (tensor<1x4x4x4x1x2xf32>, !tosa.shape<12>, tensor<1xf32>) -> tensor<1x4x4x4x2x2xf32>
    %6 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 8, 2]> : tensor<5xindex>}> : () -> !tosa.shape<5>
    %7 = "tosa.reshape"(%5, %6) : (tensor<1x4x4x4x2x2xf32>, !tosa.shape<5>) -> tensor<1x4x4x8x2xf32>
    %8 = "tosa.const"() <{values = dense<sha256 9a3f582a88e02623> : tensor<3x2x2x2x2xf32>}> : () -> tensor<3x2x2x2x2xf32>
    %9 = "tosa.const"() <{values = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %10 = "tosa.conv3d"(%7, %8, %9, %4, %4) <{pad = array<i64: 1, 0, 1, 0, 1, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x4x4x8x2xf32>, tensor<3x2x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x8x3xf32>
    return %10 : tensor<1x4x4x8x3xf32>
  }
}
