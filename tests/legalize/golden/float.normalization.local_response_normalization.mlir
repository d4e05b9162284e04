// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.local_response_normalization"(%arg0) <{radius = 2 : i64, bias = 0x3F800000 : f32, alpha = 0x3DCCCCCD : f32, beta = 0x3F000000 : f32}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %1 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.mul"(%arg0, %arg0, %1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %3 = "tosa.const_shape"() <{values = dense<[16, 2, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %4 = "tosa.reshape"(%2, %3) : (tensor<1x4x4x2xf32>, !tosa.shape<4>) -> tensor<16x2x1x1xf32>
    %5 = "tosa.const"() <{values = dense<[[[[1.0]], [[1.0]], [[1.0]], [[1.0]], [[1.0]]]]> : tensor<1x5x1x1xf32>}> : () -> tensor<1x5x1x1xf32>
    %6 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %7 = "tosa.conv2d"(%4, %5, %6, %6, %6) <{pad = array<i64: 2, 2, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<16x2x1x1xf32>, tensor<1x5x1x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<16x2x1x1xf32>
    %8 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %9 = "tosa.reshape"(%7, %8) : (tensor<16x2x1x1xf32>, !tosa.shape<4>) -> tensor<1x4x4x2xf32>
    %10 = "tosa.const"() <{values = dense<[[[[0.10000000149011612]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %11 = "tosa.mul"(%9, %10, %1) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %12 = "tosa.const"() <{values = dense<[[[[1.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %13 = "tosa.add"(%11, %12) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %14 = "tosa.rsqrt"(%13) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %15 = "tosa.mul"(%arg0, %14, %1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    return %15 : tensor<1x4x4x2xf32>
  }
}
