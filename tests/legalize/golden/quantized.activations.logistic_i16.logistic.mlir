// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 3.0517578125e-05:0>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.logistic"(%arg0) : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 3.0517578125e-05:0>>
    return %1 : tensor<1x4x4x2x!quant.uniform<i16:f32, 3.0517578125e-05:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 256e6544a2406ae8> : tensor<1x65536x1xi16>}> : () -> tensor<1x65536x1xi16>
    %2 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %3 = "tosa.const"() <{values = dense<[[[[32768]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %4 = "tosa.add"(%2, %3) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 32]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x4x4x2xi32>, !tosa.shape<2>) -> tensor<1x32xi32>
    %7 = "tosa.gather"(%1, %6) : (tensor<1x65536x1xi16>, tensor<1x32xi32>) -> tensor<1x32x1xi16>
    %8 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %9 = "tosa.reshape"(%7, %8) : (tensor<1x32x1xi16>, !tosa.shape<4>) -> tensor<1x4x4x2xi16>
    return %9 : tensor<1x4x4x2xi16>
  }
}
