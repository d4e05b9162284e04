// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.squared_difference"(%arg0, %arg1) : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>, tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>
    return %2 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.rescale"(%arg0, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %7 = "tosa.rescale"(%arg1, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %8 = "tosa.sub"(%6, %7) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %9 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.mul"(%8, %8, %9) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
    %11 = "tosa.const"() <{values = dense<[1717986944]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %12 = "tosa.const"() <{values = dense<[33]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %13 = "tosa.rescale"(%10, %11, %12, %5, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
    return %13 : tensor<1x4x4x2xi16>
  }
}
