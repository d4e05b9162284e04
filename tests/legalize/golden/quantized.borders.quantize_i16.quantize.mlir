// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:0>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.quantize"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:0>>
    return %1 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[[[[10.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %4 = "tosa.const"() <{values = dense<[[[[32767.5]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %5 = "tosa.add"(%3, %4) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %6 = "tosa.clamp"(%5) <{min_val = 0x00000000 : f32, max_val = 0x477FFF00 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %7 = "tosa.cast"(%6) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi32>
    %8 = "tosa.const"() <{values = dense<sha256 ad2361c317ddf92e> : tensor<1x65536x1xf32>}> : () -> tensor<1x65536x1xf32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 32]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %10 = "tosa.reshape"(%7, %9) : (tensor<1x4x4x2xi32>, !tosa.shape<2>) -> tensor<1x32xi32>
    %11 = "tosa.gather"(%8, %10) : (tensor<1x65536x1xf32>, tensor<1x32xi32>) -> tensor<1x32x1xf32>
    %12 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %13 = "tosa.reshape"(%11, %12) : (tensor<1x32x1xf32>, !tosa.shape<4>) -> tensor<1x4x4x2xf32>
    %14 = "tosa.greater_equal"(%arg0, %13) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1>
    %15 = "tosa.cast"(%14) : (tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi32>
    %16 = "tosa.add"(%7, %15) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %17 = "tosa.const"() <{values = dense<[[[[-32768]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %18 = "tosa.add"(%16, %17) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %19 = "tosa.cast"(%18) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi16>
    return %19 : tensor<1x4x4x2xi16>
  }
}
