// before
module {
  func.func @"main"(%arg0: tensor<1x8x7x4x!quant.uniform<i8:f32, 0.0466337725520134:26>> {tosa.tensor_name = "v0"}) -> (tensor<1x4x7x4x!quant.uniform<i8:f32, 0.25956642627716064:26>> {tosa.tensor_name = "v3"}) {
    %1 = "xnn.const"() <{values = dense<sha256 de4ccbf3ad026b08> : tensor<1x3x2x4xi8>}> : () -> tensor<1x3x2x4x!quant.uniform<i8:f32:3, {0.013812259770929813:0, 0.005274117924273014:0, 0.0076965694315731525:0, 0.017459625378251076:0}>>
    %2 = "xnn.const"() <{values = dense<[1566, -1500, -1947, 688]> : tensor<4xi32>}> : () -> tensor<4x!quant.uniform<i32:f32:0, {0.0006441177683882415:0, 0.00024595201830379665:0, 0.0003589200787246227:0, 0.000814208178780973:0}>>
    %3 = "xnn.depthwise_conv_2d"(%arg0, %1, %2) <{padding_top = 1 : i64, padding_right = 0 : i64, padding_bottom = 0 : i64, padding_left = 1 : i64, kernel_height = 3 : i64, kernel_width = 2 : i64, subsampling_height = 2 : i64, subsampling_width = 1 : i64, dilation_height = 1 : i64, dilation_width = 1 : i64, group_input_channels = 1 : i64, group_output_channels = 1 : i64, groups = 4 : i64, adjustment_height = 0 : i64, adjustment_width = 0 : i64, flags = 0 : i64}> : (tensor<1x8x7x4x!quant.uniform<i8:f32, 0.0466337725520134:26>>, tensor<1x3x2x4x!quant.uniform<i8:f32:3, {0.013812259770929813:0, 0.005274117924273014:0, 0.0076965694315731525:0, 0.017459625378251076:0}>>, tensor<4x!quant.uniform<i32:f32:0, {0.0006441177683882415:0, 0.00024595201830379665:0, 0.0003589200787246227:0, 0.000814208178780973:0}>>) -> tensor<1x4x7x4x!quant.uniform<i8:f32, 0.25956642627716064:26>>
    return %3 : tensor<1x4x7x4x!quant.uniform<i8:f32, 0.25956642627716064:26>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x8x7x4xi8> {tosa.tensor_name = "v0"}) -> (tensor<1x4x7x4xi8> {tosa.tensor_name = "v3"}) {
    %1 = "tosa.const"() <{values = dense<sha256 de4ccbf3ad026b08> : tensor<3x2x4x1xi8>}> : () -> tensor<3x2x4x1xi8>
    %2 = "tosa.const"() <{values = dense<[1566, -1500, -1947, 688]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %3 = "tosa.const"() <{values = dense<[26]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.depthwise_conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x8x7x4xi8>, tensor<3x2x4x1xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x7x4xi32>
    %6 = "tosa.cast"(%5) : (tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xf32>
    %7 = "tosa.const"() <{values = dense<[[[[0.002481514122337103, 0.0009475494152866304, 0.0013827676884829998, 0.0031368008349090815]]]]> : tensor<1x1x1x4xf32>}> : () -> tensor<1x1x1x4xf32>
    %8 = "tosa.mul"(%6, %7, %4) : (tensor<1x4x7x4xf32>, tensor<1x1x1x4xf32>, tensor<1xi8>) -> tensor<1x4x7x4xf32>
    %9 = "tosa.cast"(%8) : (tensor<1x4x7x4xf32>) -> tensor<1x4x7x4xi32>
    %10 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %11 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %13 = "tosa.rescale"(%9, %10, %11, %12, %3) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x7x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x7x4xi8>
    return %13 : tensor<1x4x7x4xi8>
  }
}
