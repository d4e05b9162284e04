// before
module {
  func.func @"main"(%arg0: tensor<4x24x!quant.uniform<i8:f32, 0.013668127357959747:-18>> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24x!quant.uniform<i8:f32, 0.0625:15>> {tosa.tensor_name = "v1"}) -> (tensor<4x24x!quant.uniform<i8:f32, 0.0625:-23>> {tosa.tensor_name = "v2"}) {
    %2 = "xnn.maximum"(%arg0, %arg1) <{flags = 0 : i64}> : (tensor<4x24x!quant.uniform<i8:f32, 0.013668127357959747:-18>>, tensor<4x24x!quant.uniform<i8:f32, 0.0625:15>>) -> tensor<4x24x!quant.uniform<i8:f32, 0.0625:-23>>
    return %2 : tensor<4x24x!quant.uniform<i8:f32, 0.0625:-23>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xi8> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24xi8> {tosa.tensor_name = "v1"}) -> (tensor<4x24xi8> {tosa.tensor_name = "v2"}) {
    %2 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[-18]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.rescale"(%arg0, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32>
    %7 = "tosa.cast"(%6) : (tensor<4x24xi32>) -> tensor<4x24xf32>
    %8 = "tosa.const"() <{values = dense<[[0.013668127357959747]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %9 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.mul"(%7, %8, %9) : (tensor<4x24xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x24xf32>
    %11 = "tosa.const"() <{values = dense<[15]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.rescale"(%arg1, %2, %3, %11, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32>
    %13 = "tosa.cast"(%12) : (tensor<4x24xi32>) -> tensor<4x24xf32>
    %14 = "tosa.const"() <{values = dense<[[0.0625]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %15 = "tosa.mul"(%13, %14, %9) : (tensor<4x24xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x24xf32>
    %16 = "tosa.maximum"(%10, %15) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x24xf32>, tensor<4x24xf32>) -> tensor<4x24xf32>
    %17 = "tosa.const"() <{values = dense<[[16.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %18 = "tosa.mul"(%16, %17, %9) : (tensor<4x24xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x24xf32>
    %19 = "tosa.const"() <{values = dense<[[-23.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %20 = "tosa.add"(%18, %19) : (tensor<4x24xf32>, tensor<1x1xf32>) -> tensor<4x24xf32>
    %21 = "tosa.cast"(%20) : (tensor<4x24xf32>) -> tensor<4x24xi8>
    return %21 : tensor<4x24xi8>
  }
}
