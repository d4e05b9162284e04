// before
module {
  func.func @"main"(%arg0: tensor<2x5x6x7x!quant.uniform<i8:f32, 0.015625:-7>> {tosa.tensor_name = "v0"}) -> (tensor<2x1x1x7x!quant.uniform<i8:f32, 0.028463665395975113:14>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.global_avg_pooling_2d"(%arg0) <{flags = 64 : i64}> : (tensor<2x5x6x7x!quant.uniform<i8:f32, 0.015625:-7>>) -> tensor<2x1x1x7x!quant.uniform<i8:f32, 0.028463665395975113:14>>
    return %1 : tensor<2x1x1x7x!quant.uniform<i8:f32, 0.028463665395975113:14>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x5x6x7xi8> {tosa.tensor_name = "v0"}) -> (tensor<2x1x1x7xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x5x6x7xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x5x6x7xi32>
    %6 = "tosa.reduce_sum"(%5) <{axis = 1 : i32}> : (tensor<2x5x6x7xi32>) -> tensor<2x1x6x7xi32>
    %7 = "tosa.reduce_sum"(%6) <{axis = 2 : i32}> : (tensor<2x1x6x7xi32>) -> tensor<2x1x1x7xi32>
    %8 = "tosa.cast"(%7) : (tensor<2x1x1x7xi32>) -> tensor<2x1x1x7xf32>
    %9 = "tosa.const"() <{values = dense<[[[[0.018298184499144554]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %10 = "tosa.mul"(%8, %9, %3) : (tensor<2x1x1x7xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x7xf32>
    %11 = "tosa.const"() <{values = dense<[[[[17.842618942260742]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %12 = "tosa.add"(%10, %11) : (tensor<2x1x1x7xf32>, tensor<1x1x1x1xf32>) -> tensor<2x1x1x7xf32>
    %13 = "tosa.cast"(%12) : (tensor<2x1x1x7xf32>) -> tensor<2x1x1x7xi8>
    return %13 : tensor<2x1x1x7xi8>
  }
}
