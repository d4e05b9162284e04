// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x4xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0xBEBD683F885B403FDE35D1BC9C0A273FE6A426BFCF2CEABF6FD9D63FC006F43E0C3F04C0348B87BF469C1EBFC4E0AE3E95D8A93FAD849D3E96AFDDBE394AEF3E"> : tensor<1x2x2x4xf32>}> : () -> tensor<1x2x2x4xf32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x0000803F0000803F0000803F0000803F"> : tensor<4xf32>}> : () -> tensor<4xf32> loc("Model.subgraphs[0].tensors[2]")
    %3 = "tfl.depthwise_conv_2d"(%arg0, %1, %2) <{padding = "SAME", stride_w = 1 : i64, stride_h = 1 : i64, depth_multiplier = 2 : i64, fused_activation_function = "NONE", dilation_w_factor = 1 : i64, dilation_h_factor = 1 : i64}> : (tensor<1x4x4x2xf32>, tensor<1x2x2x4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32> loc("main:0 DEPTHWISE_CONV_2D 't3'")
    return %3 : tensor<1x4x4x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x4xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const"() <{values = dense<"0xBEBD683F885B403FDE35D1BC9C0A273FE6A426BFCF2CEABF6FD9D63FC006F43E0C3F04C0348B87BF469C1EBFC4E0AE3E95D8A93FAD849D3E96AFDDBE394AEF3E"> : tensor<2x2x2x2xf32>}> : () -> tensor<2x2x2x2xf32> loc("main:0 DEPTHWISE_CONV_2D 't3'")
    %2 = "tosa.const"() <{values = dense<"0x0000803F0000803F0000803F0000803F"> : tensor<4xf32>}> : () -> tensor<4xf32> loc("main:0 DEPTHWISE_CONV_2D 't3'")
    %3 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("main:0 DEPTHWISE_CONV_2D 't3'")
    %4 = "tosa.depthwise_conv2d"(%arg0, %1, %2, %3, %3) <{pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x4x4x2xf32>, tensor<2x2x2x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32> loc("main:0 DEPTHWISE_CONV_2D 't3'")
    return %4 : tensor<1x4x4x4xf32>
  }
}
