// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x8x8x3xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x01000000080000000800000003000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("Model.subgraphs[0].tensors[0]")
    %2 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<3x2x2x2xf32>}> : () -> tensor<3x2x2x2xf32> loc("Model.subgraphs[0].tensors[1]")
    %3 = "tfl.pseudo_const"() <{values = dense<"0x0000803F0000803F0000803F"> : tensor<3xf32>}> : () -> tensor<3xf32> loc("Model.subgraphs[0].tensors[3]")
    %4 = "tfl.transpose_conv"(%1, %2, %arg0, %3) <{padding = "SAME", stride_w = 2 : i64, stride_h = 2 : i64, fused_activation_function = "NONE", quantized_bias_type = "FLOAT32"}> : (tensor<4xi32>, tensor<3x2x2x2xf32>, tensor<1x4x4x2xf32>, tensor<3xf32>) -> tensor<1x8x8x3xf32> loc("main:0 TRANSPOSE_CONV 't4'")
    return %4 : tensor<1x8x8x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x8x8x3xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<3x2x2x2xf32>}> : () -> tensor<3x2x2x2xf32> loc("main:0 TRANSPOSE_CONV 't4'")
    %2 = "tosa.const"() <{values = dense<"0x0000803F0000803F0000803F"> : tensor<3xf32>}> : () -> tensor<3xf32> loc("main:0 TRANSPOSE_CONV 't4'")
    %3 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("main:0 TRANSPOSE_CONV 't4'")
    %4 = "tosa.transpose_conv2d"(%arg0, %1, %2, %3, %3) <{out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, acc_type = f32, local_bound = false}> : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x3xf32> loc("main:0 TRANSPOSE_CONV 't4'")
    return %4 : tensor<1x8x8x3xf32>
  }
}
