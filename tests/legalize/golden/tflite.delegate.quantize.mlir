// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:0>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.quantize"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:0>>
    return %1 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[[[[10.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %4 = "tosa.const"() <{values = dense<[[[[127.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %5 = "tosa.minimum"(%3, %4) <{nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %6 = "tosa.clamp"(%5) <{min_val = 0xC3000000 : f32, max_val = 0x42FE0000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %7 = "tosa.cast"(%6) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi32>
    %8 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %11 = "tosa.rescale"(%7, %8, %9, %10, %2) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
    return %11 : tensor<1x4x4x2xi8>
  }
}
