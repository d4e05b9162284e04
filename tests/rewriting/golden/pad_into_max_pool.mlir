// before
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xi8> {tosa.tensor_name = "x"}) -> (tensor<1x5x5x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 0, 1, 1, 0, 0]> : tensor<8xindex>}> : () -> !tosa.shape<8>
    %2 = "tosa.const"() <{values = dense<[-128]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<1x5x4x3xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x6x6x3xi8>
    %4 = "tosa.max_pool2d"(%3) <{kernel = array<i64: 2, 2>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x6x6x3xi8>) -> tensor<1x5x5x3xi8>
    return %4 : tensor<1x5x5x3xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xi8> {tosa.tensor_name = "x"}) -> (tensor<1x5x5x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 2, 2>, stride = array<i64: 1, 1>, pad = array<i64: 1, 0, 1, 1>, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x5x4x3xi8>) -> tensor<1x5x5x3xi8>
    return %1 : tensor<1x5x5x3xi8>
  }
}
