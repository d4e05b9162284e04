// before
module {
  func.func @"main"(%arg0: tensor<1x5x4x4x!quant.uniform<i8:f32, 0.058497268706560135:25>> {tosa.tensor_name = "v0"}) -> (tensor<1x9x10x6x!quant.uniform<i8:f32, 0.10533444583415985:25>> {tosa.tensor_name = "v3"}) {
    %1 = "xnn.const"() <{values = dense<sha256 6f91fcdf2f4b369e> : tensor<6x3x2x4xi8>}> : () -> tensor<6x3x2x4x!quant.uniform<i8:f32:0, {0.017291586846113205:0, 0.01944752037525177:0, 0.008044498041272163:0, 0.0041745491325855255:0, 0.013946035876870155:0, 0.004064405802637339:0}>>
    %2 = "xnn.const"() <{values = dense<[1861, -141, -206, 432, 1285, -1991]> : tensor<6xi32>}> : () -> tensor<6x!quant.uniform<i32:f32:0, {0.0010115106124430895:0, 0.0011376268230378628:0, 0.00047058117343112826:0, 0.0002441997348796576:0, 0.0008158049895428121:0, 0.00023775664158165455:0}>>
    %3 = "xnn.conv_transpose_2d"(%arg0, %1, %2) <{padding_top = 1 : i64, padding_right = 0 : i64, padding_bottom = 1 : i64, padding_left = 1 : i64, kernel_height = 3 : i64, kernel_width = 2 : i64, subsampling_height = 2 : i64, subsampling_width = 3 : i64, dilation_height = 1 : i64, dilation_width = 1 : i64, group_input_channels = 4 : i64, group_output_channels = 6 : i64, groups = 1 : i64, adjustment_height = 0 : i64, adjustment_width = 0 : i64, flags = 0 : i64}> : (tensor<1x5x4x4x!quant.uniform<i8:f32, 0.058497268706560135:25>>, tensor<6x3x2x4x!quant.uniform<i8:f32:0, {0.017291586846113205:0, 0.01944752037525177:0, 0.008044498041272163:0, 0.0041745491325855255:0, 0.013946035876870155:0, 0.004064405802637339:0}>>, tensor<6x!quant.uniform<i32:f32:0, {0.0010115106124430895:0, 0.0011376268230378628:0, 0.00047058117343112826:0, 0.0002441997348796576:0, 0.0008158049895428121:0, 0.00023775664158165455:0}>>) -> tensor<1x9x10x6x!quant.uniform<i8:f32, 0.10533444583415985:25>>
    return %3 : tensor<1x9x10x6x!quant.uniform<i8:f32, 0.10533444583415985:25>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x5x4x4xi8> {tosa.tensor_name = "v0"}) -> (tensor<1x9x10x6xi8> {tosa.tensor_name = "v3"}) {
    %1 = "tosa.const"() <{values = dense<sha256 6f91fcdf2f4b369e> : tensor<6x3x2x4xi8>}> : () -> tensor<6x3x2x4xi8>
    %2 = "tosa.const"() <{values = dense<[1861, -141, -206, 432, 1285, -1991]> : tensor<6xi32>}> : () -> tensor<6xi32>
    %3 = "tosa.const"() <{values = dense<[25]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.transpose_conv2d"(%arg0, %1, %2, %3, %4) <{out_pad = array<i64: -1, -1, -1, 0>, stride = array<i64: 2, 3>, acc_type = i32, local_bound = false}> : (tensor<1x5x4x4xi8>, tensor<6x3x2x4xi8>, tensor<6xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x10x6xi32>
    %6 = "tosa.cast"(%5) : (tensor<1x9x10x6xi32>) -> tensor<1x9x10x6xf32>
    %7 = "tosa.const"() <{values = dense<[[[[0.009602847509086132, 0.010800140909850597, 0.00446749571710825, 0.0023183273151516914, 0.007744902279227972, 0.0022571594454348087]]]]> : tensor<1x1x1x6xf32>}> : () -> tensor<1x1x1x6xf32>
    %8 = "tosa.mul"(%6, %7, %4) : (tensor<1x9x10x6xf32>, tensor<1x1x1x6xf32>, tensor<1xi8>) -> tensor<1x9x10x6xf32>
    %9 = "tosa.cast"(%8) : (tensor<1x9x10x6xf32>) -> tensor<1x9x10x6xi32>
    %10 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %11 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %13 = "tosa.rescale"(%9, %10, %11, %12, %3) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x9x10x6xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x9x10x6xi8>
    return %13 : tensor<1x9x10x6xi8>
  }
}
