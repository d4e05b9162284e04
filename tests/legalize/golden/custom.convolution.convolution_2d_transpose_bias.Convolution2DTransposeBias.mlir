// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x8x8x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<sha256 849203e6b4e58641> : tensor<3x2x2x2xf32>}> : () -> tensor<3x2x2x2xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %3 = "tfl.custom"(%arg0, %1, %2) <{custom_code = "Convolution2DTransposeBias", custom_options = "\01\00\00\00\02\00\00\00\02\00\00\00"}> : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>) -> tensor<1x8x8x3xf32>
    return %3 : tensor<1x8x8x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x8x8x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const"() <{values = dense<sha256 849203e6b4e58641> : tensor<3x2x2x2xf32>}> : () -> tensor<3x2x2x2xf32>
    %2 = "tosa.const"() <{values = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tosa.transpose_conv2d"(%arg0, %1, %2, %3, %3) <{out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, acc_type = f32, local_bound = false}> : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x3xf32>
    return %4 : tensor<1x8x8x3xf32>
  }
}
