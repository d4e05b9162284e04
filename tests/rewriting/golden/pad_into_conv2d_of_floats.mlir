// before
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xf32> {tosa.tensor_name = "x"}) -> (tensor<1x7x4x3xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 2, 0, 1, 0, 0]> : tensor<8xindex>}> : () -> !tosa.shape<8>
    %2 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<1x5x4x3xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x8x5x3xf32>
    %4 = "tosa.const"() <{values = dense<sha256 b7079f394c0bec86> : tensor<3x3x3x3xf32>}> : () -> tensor<3x3x3x3xf32>
    %5 = "tosa.const"() <{values = dense<[3.0, 3.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %6 = "tosa.conv2d"(%3, %4, %5, %2, %2) <{pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x8x5x3xf32>, tensor<3x3x3x3xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x7x4x3xf32>
    return %6 : tensor<1x7x4x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xf32> {tosa.tensor_name = "x"}) -> (tensor<1x7x4x3xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<sha256 b7079f394c0bec86> : tensor<3x3x3x3xf32>}> : () -> tensor<3x3x3x3xf32>
    %2 = "tosa.const"() <{values = dense<[3.0, 3.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tosa.conv2d"(%arg0, %1, %2, %3, %3) <{pad = array<i64: 1, 3, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x5x4x3xf32>, tensor<3x3x3x3xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x7x4x3xf32>
    return %4 : tensor<1x7x4x3xf32>
  }
}
