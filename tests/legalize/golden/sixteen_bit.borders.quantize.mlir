// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:0>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.quantize"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:0>> loc("main:0 QUANTIZE 't1'")
    return %1 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<"0x00002041"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 QUANTIZE 't1'")
    %2 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 QUANTIZE 't1'")
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32> loc("main:0 QUANTIZE 't1'")
    %4 = "tosa.const"() <{values = dense<"0x00FFFF46"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 QUANTIZE 't1'")
    %5 = "tosa.add"(%3, %4) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32> loc("main:0 QUANTIZE 't1'")
    %6 = "tosa.clamp"(%5) <{min_val = 0x00000000 : f32, max_val = 0x477FFF00 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 QUANTIZE 't1'")
    %7 = "tosa.cast"(%6) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi32> loc("main:0 QUANTIZE 't1'")
    %8 = "tosa.const_shape"() <{values = dense<[1, 32]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 QUANTIZE 't1'")
    %9 = "tosa.reshape"(%7, %8) : (tensor<1x4x4x2xi32>, !tosa.shape<2>) -> tensor<1x32xi32> loc("main:0 QUANTIZE 't1'")
    %10 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x65536x1xf32>}> : () -> tensor<1x65536x1xf32> loc("main:0 QUANTIZE 't1'")
    %11 = "tosa.gather"(%10, %9) : (tensor<1x65536x1xf32>, tensor<1x32xi32>) -> tensor<1x32x1xf32> loc("main:0 QUANTIZE 't1'")
    %12 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 QUANTIZE 't1'")
    %13 = "tosa.reshape"(%11, %12) : (tensor<1x32x1xf32>, !tosa.shape<4>) -> tensor<1x4x4x2xf32> loc("main:0 QUANTIZE 't1'")
    %14 = "tosa.greater_equal"(%arg0, %13) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1> loc("main:0 QUANTIZE 't1'")
    %15 = "tosa.cast"(%14) : (tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi32> loc("main:0 QUANTIZE 't1'")
    %16 = "tosa.add"(%7, %15) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 QUANTIZE 't1'")
    %17 = "tosa.const"() <{values = dense<"0x0080FFFF"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 QUANTIZE 't1'")
    %18 = "tosa.add"(%16, %17) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 QUANTIZE 't1'")
    %19 = "tosa.cast"(%18) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi16> loc("main:0 QUANTIZE 't1'")
    return %19 : tensor<1x4x4x2xi16>
  }
}
