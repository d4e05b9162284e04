// before
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xi8> {tosa.tensor_name = "x"}) -> (tensor<1x7x4x3xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 2, 0, 1, 0, 0]> : tensor<8xindex>}> : () -> !tosa.shape<8>
    %2 = "tosa.const"() <{values = dense<[4]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<1x5x4x3xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x8x5x3xi8>
    %4 = "tosa.const"() <{values = dense<sha256 961eed1cdf9b98e4> : tensor<3x3x3x1xi8>}> : () -> tensor<3x3x3x1xi8>
    %5 = "tosa.const"() <{values = dense<[0, -4, 2]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %6 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = "tosa.depthwise_conv2d"(%3, %4, %5, %2, %6) <{pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x8x5x3xi8>, tensor<3x3x3x1xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x7x4x3xi32>
    return %7 : tensor<1x7x4x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xi8> {tosa.tensor_name = "x"}) -> (tensor<1x7x4x3xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<sha256 961eed1cdf9b98e4> : tensor<3x3x3x1xi8>}> : () -> tensor<3x3x3x1xi8>
    %2 = "tosa.const"() <{values = dense<[0, -4, 2]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %3 = "tosa.const"() <{values = dense<[4]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.depthwise_conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 1, 3, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x5x4x3xi8>, tensor<3x3x3x1xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x7x4x3xi32>
    return %5 : tensor<1x7x4x3xi32>
  }
}
