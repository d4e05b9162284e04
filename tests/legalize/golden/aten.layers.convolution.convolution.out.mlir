// before
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x6x4x4xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "xnn.const"() <{values = dense_resource<__elided__> : tensor<6x2x3x3xf32>}> : () -> tensor<6x2x3x3xf32> loc("forward:0 aten::convolution.out")
    %2 = "xnn.const"() <{values = dense<"0x647CC2BDBB63EC3CAC6B58BD972E0F3E28BE6EBE3B978B3C"> : tensor<6xf32>}> : () -> tensor<6xf32> loc("forward:0 aten::convolution.out")
    %3 = "aten.convolution.out"(%arg0, %1, %2) <{stride = array<i64: 2, 2>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 2 : i64}> : (tensor<1x4x8x8xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>) -> tensor<1x6x4x4xf32> loc("forward:0 aten::convolution.out")
    return %3 : tensor<1x6x4x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x6x4x4xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x4x8x8xf32>) -> tensor<1x8x8x4xf32> loc("forward:0 aten::convolution.out")
    %2 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("forward:0 aten::convolution.out")
    %3 = "tosa.const_shape"() <{values = dense<[1, 8, 8, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("forward:0 aten::convolution.out")
    %4 = "tosa.slice"(%1, %2, %3) : (tensor<1x8x8x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x8x8x2xf32> loc("forward:0 aten::convolution.out")
    %5 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("forward:0 aten::convolution.out")
    %6 = "tosa.slice"(%1, %5, %3) : (tensor<1x8x8x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x8x8x2xf32> loc("forward:0 aten::convolution.out")
    %7 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<3x3x3x2xf32>}> : () -> tensor<3x3x3x2xf32> loc("forward:0 aten::convolution.out")
    %8 = "tosa.const"() <{values = dense<"0x647CC2BDBB63EC3CAC6B58BD"> : tensor<3xf32>}> : () -> tensor<3xf32> loc("forward:0 aten::convolution.out")
    %9 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("forward:0 aten::convolution.out")
    %10 = "tosa.conv2d"(%4, %7, %8, %9, %9) <{pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x8x8x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32> loc("forward:0 aten::convolution.out")
    %11 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<3x3x3x2xf32>}> : () -> tensor<3x3x3x2xf32> loc("forward:0 aten::convolution.out")
    %12 = "tosa.const"() <{values = dense<"0x972E0F3E28BE6EBE3B978B3C"> : tensor<3xf32>}> : () -> tensor<3xf32> loc("forward:0 aten::convolution.out")
    %13 = "tosa.conv2d"(%6, %11, %12, %9, %9) <{pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x8x8x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32> loc("forward:0 aten::convolution.out")
    %14 = "tosa.concat"(%10, %13) <{axis = 3 : i32}> : (tensor<1x4x4x3xf32>, tensor<1x4x4x3xf32>) -> tensor<1x4x4x6xf32> loc("forward:0 aten::convolution.out")
    %15 = "tosa.transpose"(%14) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x4x4x6xf32>) -> tensor<1x6x4x4xf32> loc("forward:0 aten::convolution.out")
    return %15 : tensor<1x6x4x4xf32>
  }
}
