// before
module {
  func.func @"main"(%arg0: tensor<1x8x7x4x!quant.uniform<i8:f32, 0.06782463192939758:5>> {tosa.tensor_name = "v0"}) -> (tensor<1x4x7x6x!quant.uniform<i8:f32, 0.2035624384880066:5>> {tosa.tensor_name = "v3"}) {
    %1 = "xnn.const"() <{values = dense<sha256 2fa4f77b77f52127> : tensor<6x3x2x4xi8>}> : () -> tensor<6x3x2x4x!quant.uniform<i8:f32:0, {0.005368364043533802:0, 0.013497116044163704:0, 0.002849795389920473:0, 0.010158447548747063:0, 0.01099426206201315:0, 0.018591515719890594:0}>>
    %2 = "xnn.const"() <{values = dense<[-25, -726, -1594, -1698, -1474, 521]> : tensor<6xi32>}> : () -> tensor<6x!quant.uniform<i32:f32:0, {0.0003641073126345873:0, 0.0009154369472526014:0, 0.0001932863233378157:0, 0.0006889929645694792:0, 0.0007456817547790706:0, 0.0012609626865014434:0}>>
    %3 = "xnn.conv_2d"(%arg0, %1, %2) <{padding_top = 1 : i64, padding_right = 0 : i64, padding_bottom = 0 : i64, padding_left = 1 : i64, kernel_height = 3 : i64, kernel_width = 2 : i64, subsampling_height = 2 : i64, subsampling_width = 1 : i64, dilation_height = 1 : i64, dilation_width = 1 : i64, group_input_channels = 4 : i64, group_output_channels = 6 : i64, groups = 1 : i64, adjustment_height = 0 : i64, adjustment_width = 0 : i64, flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<1x8x7x4x!quant.uniform<i8:f32, 0.06782463192939758:5>>, tensor<6x3x2x4x!quant.uniform<i8:f32:0, {0.005368364043533802:0, 0.013497116044163704:0, 0.002849795389920473:0, 0.010158447548747063:0, 0.01099426206201315:0, 0.018591515719890594:0}>>, tensor<6x!quant.uniform<i32:f32:0, {0.0003641073126345873:0, 0.0009154369472526014:0, 0.0001932863233378157:0, 0.0006889929645694792:0, 0.0007456817547790706:0, 0.0012609626865014434:0}>>) -> tensor<1x4x7x6x!quant.uniform<i8:f32, 0.2035624384880066:5>>
    return %3 : tensor<1x4x7x6x!quant.uniform<i8:f32, 0.2035624384880066:5>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x8x7x4xi8> {tosa.tensor_name = "v0"}) -> (tensor<1x4x7x6xi8> {tosa.tensor_name = "v3"}) {
    %1 = "tosa.const"() <{values = dense<sha256 2fa4f77b77f52127> : tensor<6x3x2x4xi8>}> : () -> tensor<6x3x2x4xi8>
    %2 = "tosa.const"() <{values = dense<[-25, -726, -1594, -1698, -1474, 521]> : tensor<6xi32>}> : () -> tensor<6xi32>
    %3 = "tosa.const"() <{values = dense<[5]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x8x7x4xi8>, tensor<6x3x2x4xi8>, tensor<6xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x7x6xi32>
    %6 = "tosa.cast"(%5) : (tensor<1x4x7x6xi32>) -> tensor<1x4x7x6xf32>
    %7 = "tosa.const"() <{values = dense<[[[[0.0017886763671413064, 0.004497081972658634, 0.000949518580455333, 0.003384676296263933, 0.0036631599068641663, 0.0061944760382175446]]]]> : tensor<1x1x1x6xf32>}> : () -> tensor<1x1x1x6xf32>
    %8 = "tosa.mul"(%6, %7, %4) : (tensor<1x4x7x6xf32>, tensor<1x1x1x6xf32>, tensor<1xi8>) -> tensor<1x4x7x6xf32>
    %9 = "tosa.cast"(%8) : (tensor<1x4x7x6xf32>) -> tensor<1x4x7x6xi32>
    %10 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %11 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %13 = "tosa.rescale"(%9, %10, %11, %12, %3) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x7x6xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x7x6xi8>
    %14 = "tosa.clamp"(%13) <{min_val = 3 : i8, max_val = 11 : i8, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x7x6xi8>) -> tensor<1x4x7x6xi8>
    return %14 : tensor<1x4x7x6xi8>
  }
}
