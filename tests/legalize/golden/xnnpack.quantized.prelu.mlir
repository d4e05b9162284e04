// before
module {
  func.func @"main"(%arg0: tensor<4x24x!quant.uniform<i8:f32, 0.03125:20>> {tosa.tensor_name = "v0"}) -> (tensor<4x24x!quant.uniform<i8:f32, 0.015625:15>> {tosa.tensor_name = "v2"}) {
    %1 = "xnn.const"() <{values = dense<sha256 10b982f82495fbbc> : tensor<24xi8>}> : () -> tensor<24x!quant.uniform<i8:f32, 0.025736482813954353:25>>
    %2 = "xnn.prelu"(%arg0, %1) <{flags = 0 : i64}> : (tensor<4x24x!quant.uniform<i8:f32, 0.03125:20>>, tensor<24x!quant.uniform<i8:f32, 0.025736482813954353:25>>) -> tensor<4x24x!quant.uniform<i8:f32, 0.015625:15>>
    return %2 : tensor<4x24x!quant.uniform<i8:f32, 0.015625:15>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xi8> {tosa.tensor_name = "v0"}) -> (tensor<4x24xi8> {tosa.tensor_name = "v2"}) {
    %1 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %2 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[20]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.rescale"(%arg0, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32>
    %7 = "tosa.greater"(%1, %6) : (tensor<1x1xi32>, tensor<4x24xi32>) -> tensor<4x24xi1>
    %8 = "tosa.const"() <{values = dense<sha256 b912807c370b2a9f> : tensor<1x24xi32>}> : () -> tensor<1x24xi32>
    %9 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.mul"(%6, %8, %9) : (tensor<4x24xi32>, tensor<1x24xi32>, tensor<1xi8>) -> tensor<4x24xi32>
    %11 = "tosa.cast"(%10) : (tensor<4x24xi32>) -> tensor<4x24xf32>
    %12 = "tosa.const"() <{values = dense<[[0.05147296562790871]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %13 = "tosa.mul"(%11, %12, %9) : (tensor<4x24xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x24xf32>
    %14 = "tosa.cast"(%6) : (tensor<4x24xi32>) -> tensor<4x24xf32>
    %15 = "tosa.const"() <{values = dense<[[2.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %16 = "tosa.mul"(%14, %15, %9) : (tensor<4x24xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x24xf32>
    %17 = "tosa.select"(%7, %13, %16) : (tensor<4x24xi1>, tensor<4x24xf32>, tensor<4x24xf32>) -> tensor<4x24xf32>
    %18 = "tosa.clamp"(%17) <{min_val = 0xC30F0000 : f32, max_val = 0x42E00000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<4x24xf32>) -> tensor<4x24xf32>
    %19 = "tosa.cast"(%18) : (tensor<4x24xf32>) -> tensor<4x24xi32>
    %20 = "tosa.const"() <{values = dense<[15]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %21 = "tosa.rescale"(%19, %2, %3, %5, %20) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x24xi8>
    return %21 : tensor<4x24xi8>
  }
}
