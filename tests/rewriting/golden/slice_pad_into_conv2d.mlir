// before
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xi8> {tosa.tensor_name = "x"}) -> (tensor<1x7x5x3xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 3, 1, 1, 0, 0]> : tensor<8xindex>}> : () -> !tosa.shape<8>
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<1x5x4x3xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x9x6x3xi8>
    %4 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.const_shape"() <{values = dense<[1, 8, 6, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %6 = "tosa.slice"(%3, %4, %5) : (tensor<1x9x6x3xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x8x6x3xi8>
    %7 = "tosa.const"() <{values = dense<sha256 11dab657bf5201ee> : tensor<3x3x3x3xi8>}> : () -> tensor<3x3x3x3xi8>
    %8 = "tosa.const"() <{values = dense<[3, 3, 1]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %9 = "tosa.conv2d"(%6, %7, %8, %2, %2) <{pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x8x6x3xi8>, tensor<3x3x3x3xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x7x5x3xi32>
    return %9 : tensor<1x7x5x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xi8> {tosa.tensor_name = "x"}) -> (tensor<1x7x5x3xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<sha256 11dab657bf5201ee> : tensor<3x3x3x3xi8>}> : () -> tensor<3x3x3x3xi8>
    %2 = "tosa.const"() <{values = dense<[3, 3, 1]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.conv2d"(%arg0, %1, %2, %3, %3) <{pad = array<i64: 1, 3, 2, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x5x4x3xi8>, tensor<3x3x3x3xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x7x5x3xi32>
    return %4 : tensor<1x7x5x3xi32>
  }
}
