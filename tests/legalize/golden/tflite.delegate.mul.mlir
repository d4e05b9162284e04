// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.029999999329447746:5>> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.mul"(%arg0, %arg1) <{fused_activation_function = "NONE"}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<1x4x4x2x!quant.uniform<i8:f32, 0.029999999329447746:5>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>>
    return %2 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[-3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.rescale"(%arg0, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %7 = "tosa.const"() <{values = dense<[5]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.rescale"(%arg1, %2, %3, %7, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %9 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.mul"(%6, %8, %9) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
    %11 = "tosa.cast"(%10) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xf32>
    %12 = "tosa.const"() <{values = dense<[[[[0.014999999664723873]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %13 = "tosa.mul"(%11, %12, %9) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %14 = "tosa.cast"(%13) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi32>
    %15 = "tosa.const"() <{values = dense<[7]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %16 = "tosa.rescale"(%14, %2, %3, %5, %15) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
    return %16 : tensor<1x4x4x2xi8>
  }
}
