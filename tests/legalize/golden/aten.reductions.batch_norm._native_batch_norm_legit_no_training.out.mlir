// before
module {
  func.func @"main"(%arg0: tensor<1x8x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x8x16xf32> {tosa.tensor_name = ""}) {
    %1 = "xnn.const"() <{values = dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"> : tensor<8xf32>}> : () -> tensor<8xf32> loc("forward:3 aten::_native_batch_norm_legit_no_training.out")
    %2 = "xnn.const"() <{values = dense<"0x0000000000000000000000000000000000000000000000000000000000000000"> : tensor<8xf32>}> : () -> tensor<8xf32> loc("forward:3 aten::_native_batch_norm_legit_no_training.out")
    %3 = "xnn.const"() <{values = dense<"0x0000000000000000000000000000000000000000000000000000000000000000"> : tensor<8xf32>}> : () -> tensor<8xf32> loc("forward:3 aten::_native_batch_norm_legit_no_training.out")
    %4 = "xnn.const"() <{values = dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"> : tensor<8xf32>}> : () -> tensor<8xf32> loc("forward:3 aten::_native_batch_norm_legit_no_training.out")
    %5, %6, %7 = "aten._native_batch_norm_legit_no_training.out"(%arg0, %1, %2, %3, %4) <{momentum = 0x3DCCCCCD : f32, eps = 0x3727C5AC : f32}> : (tensor<1x8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<1x8x16xf32>, tensor<0xf32>, tensor<0xf32>) loc("forward:3 aten::_native_batch_norm_legit_no_training.out")
    return %5 : tensor<1x8x16xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x8x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x8x16xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const"() <{values = dense<"0xACFF7F3FACFF7F3FACFF7F3FACFF7F3FACFF7F3FACFF7F3FACFF7F3FACFF7F3F"> : tensor<1x8x1xf32>}> : () -> tensor<1x8x1xf32> loc("forward:3 aten::_native_batch_norm_legit_no_training.out")
    %2 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("forward:3 aten::_native_batch_norm_legit_no_training.out")
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<1x8x16xf32>, tensor<1x8x1xf32>, tensor<1xi8>) -> tensor<1x8x16xf32> loc("forward:3 aten::_native_batch_norm_legit_no_training.out")
    %4 = "tosa.const"() <{values = dense<"0x0000000000000000000000000000000000000000000000000000000000000000"> : tensor<1x8x1xf32>}> : () -> tensor<1x8x1xf32> loc("forward:3 aten::_native_batch_norm_legit_no_training.out")
    %5 = "tosa.add"(%3, %4) : (tensor<1x8x16xf32>, tensor<1x8x1xf32>) -> tensor<1x8x16xf32> loc("forward:3 aten::_native_batch_norm_legit_no_training.out")
    return %5 : tensor<1x8x16xf32>
  }
}
