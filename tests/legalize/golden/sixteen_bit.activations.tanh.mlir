// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 3.0517578125e-05:0>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.tanh"(%arg0) : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 3.0517578125e-05:0>> loc("main:0 TANH 't1'")
    return %1 : tensor<1x4x4x2x!quant.uniform<i16:f32, 3.0517578125e-05:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32> loc("main:0 TANH 't1'")
    %2 = "tosa.const"() <{values = dense<"0x00800000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 TANH 't1'")
    %3 = "tosa.add"(%1, %2) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 TANH 't1'")
    %4 = "tosa.const_shape"() <{values = dense<[1, 32]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 TANH 't1'")
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x4x4x2xi32>, !tosa.shape<2>) -> tensor<1x32xi32> loc("main:0 TANH 't1'")
    %6 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x65536x1xi16>}> : () -> tensor<1x65536x1xi16> loc("main:0 TANH 't1'")
    %7 = "tosa.gather"(%6, %5) : (tensor<1x65536x1xi16>, tensor<1x32xi32>) -> tensor<1x32x1xi16> loc("main:0 TANH 't1'")
    %8 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 TANH 't1'")
    %9 = "tosa.reshape"(%7, %8) : (tensor<1x32x1xi16>, !tosa.shape<4>) -> tensor<1x4x4x2xi16> loc("main:0 TANH 't1'")
    return %9 : tensor<1x4x4x2xi16>
  }
}
