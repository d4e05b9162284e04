// before
module {
  func.func @"main"(%arg0: tensor<2x3xi32> {tosa.tensor_name = "t0"}) -> (tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.cast"(%arg0) <{in_data_type = "FLOAT32", out_data_type = "FLOAT32"}> : (tensor<2x3xi32>) -> tensor<2x3xf32>
    %2 = "tfl.quantize"(%1) : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
    return %2 : tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xi8> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<sha256 c5f79109c41a0876> : tensor<1x130x1xi8>}> : () -> tensor<1x130x1xi8>
    %2 = "tosa.const"() <{values = dense<[[-63]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %3 = "tosa.maximum"(%arg0, %2) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xi32>, tensor<1x1xi32>) -> tensor<2x3xi32>
    %4 = "tosa.const"() <{values = dense<[[66]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %5 = "tosa.minimum"(%3, %4) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xi32>, tensor<1x1xi32>) -> tensor<2x3xi32>
    %6 = "tosa.sub"(%5, %2) : (tensor<2x3xi32>, tensor<1x1xi32>) -> tensor<2x3xi32>
    %7 = "tosa.const_shape"() <{values = dense<[1, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %8 = "tosa.reshape"(%6, %7) : (tensor<2x3xi32>, !tosa.shape<2>) -> tensor<1x6xi32>
    %9 = "tosa.gather"(%1, %8) : (tensor<1x130x1xi8>, tensor<1x6xi32>) -> tensor<1x6x1xi8>
    %10 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %11 = "tosa.reshape"(%9, %10) : (tensor<1x6x1xi8>, !tosa.shape<2>) -> tensor<2x3xi8>
    return %11 : tensor<2x3xi8>
  }
}
