// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x4x2xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x4x4x8x3xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x0100000004000000040000000800000003000000"> : tensor<5xi32>}> : () -> tensor<5xi32> loc("Model.subgraphs[0].tensors[0]")
    %2 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<2x2x2x3x2xf32>}> : () -> tensor<2x2x2x3x2xf32> loc("Model.subgraphs[0].tensors[1]")
    %3 = "tfl.pseudo_const"() <{values = dense<"0x0000803F0000803F0000803F"> : tensor<3xf32>}> : () -> tensor<3xf32> loc("Model.subgraphs[0].tensors[3]")
    %4 = "tfl.conv_3d_transpose"(%1, %2, %arg0, %3) <{padding = "SAME", stride_d = 1 : i64, stride_w = 2 : i64, stride_h = 1 : i64, fused_activation_function = "NONE", dilation_d_factor = 1 : i64, dilation_w_factor = 1 : i64, dilation_h_factor = 1 : i64}> : (tensor<5xi32>, tensor<2x2x2x3x2xf32>, tensor<1x4x4x4x2xf32>, tensor<3xf32>) -> tensor<1x4x4x8x3xf32> loc("main:0 CONV_3D_TRANSPOSE 't4'")
    return %4 : tensor<1x4x4x8x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x4x2xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x4x4x8x3xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 4, 1, 2]> : tensor<6xindex>}> : () -> !tosa.shape<6> loc("main:0 CONV_3D_TRANSPOSE 't4'")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x4x2xf32>, !tosa.shape<6>) -> tensor<1x4x4x4x1x2xf32> loc("main:0 CONV_3D_TRANSPOSE 't4'")
    %3 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]> : tensor<12xindex>}> : () -> !tosa.shape<12> loc("main:0 CONV_3D_TRANSPOSE 't4'")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("main:0 CONV_3D_TRANSPOSE 't4'")
    %5 = "tosa.pad"(%2, %3, %4) : (tensor<1x4x4x4x1x2xf32>, !tosa.shape<12>, tensor<1xf32>) -> tensor<1x4x4x4x2x2xf32> loc("main:0 CONV_3D_TRANSPOSE 't4'")
    %6 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 8, 2]> : tensor<5xindex>}> : () -> !tosa.shape<5> loc("main:0 CONV_3D_TRANSPOSE 't4'")
    %7 = "tosa.reshape"(%5, %6) : (tensor<1x4x4x4x2x2xf32>, !tosa.shape<5>) -> tensor<1x4x4x8x2xf32> loc("main:0 CONV_3D_TRANSPOSE 't4'")
    %8 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<3x2x2x2x2xf32>}> : () -> tensor<3x2x2x2x2xf32> loc("main:0 CONV_3D_TRANSPOSE 't4'")
    %9 = "tosa.const"() <{values = dense<"0x0000803F0000803F0000803F"> : tensor<3xf32>}> : () -> tensor<3xf32> loc("main:0 CONV_3D_TRANSPOSE 't4'")
    %10 = "tosa.conv3d"(%7, %8, %9, %4, %4) <{pad = array<i64: 1, 0, 1, 0, 1, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x4x4x8x2xf32>, tensor<3x2x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x8x3xf32> loc("main:0 CONV_3D_TRANSPOSE 't4'")
    return %10 : tensor<1x4x4x8x3xf32>
  }
}
