// before
module {
  func.func @"main"(%arg0: tensor<4x24x!quant.uniform<i8:f32, 0.125:5>> {tosa.tensor_name = "v0"}) -> (tensor<4x6x!quant.uniform<i8:f32, 0.17558743059635162:5>> {tosa.tensor_name = "v3"}) {
    %1 = "xnn.const"() <{values = dense<sha256 33fe606b5c420152> : tensor<6x24xi8>}> : () -> tensor<6x24x!quant.uniform<i8:f32:0, {0.005620491225272417:0, 0.01807844452559948:0, 0.0043317158706486225:0, 0.011918015778064728:0, 0.002043024869635701:0, 0.0020396001636981964:0}>>
    %2 = "xnn.const"() <{values = dense<[38, 1339, -1277, 1035, -193, -102]> : tensor<6xi32>}> : () -> tensor<6x!quant.uniform<i32:f32:0, {0.0007025614031590521:0, 0.002259805565699935:0, 0.0005414644838310778:0, 0.001489751972258091:0, 0.00025537810870446265:0, 0.00025495002046227455:0}>>
    %3 = "xnn.fully_connected"(%arg0, %1, %2) <{flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<4x24x!quant.uniform<i8:f32, 0.125:5>>, tensor<6x24x!quant.uniform<i8:f32:0, {0.005620491225272417:0, 0.01807844452559948:0, 0.0043317158706486225:0, 0.011918015778064728:0, 0.002043024869635701:0, 0.0020396001636981964:0}>>, tensor<6x!quant.uniform<i32:f32:0, {0.0007025614031590521:0, 0.002259805565699935:0, 0.0005414644838310778:0, 0.001489751972258091:0, 0.00025537810870446265:0, 0.00025495002046227455:0}>>) -> tensor<4x6x!quant.uniform<i8:f32, 0.17558743059635162:5>>
    return %3 : tensor<4x6x!quant.uniform<i8:f32, 0.17558743059635162:5>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xi8> {tosa.tensor_name = "v0"}) -> (tensor<4x6xi8> {tosa.tensor_name = "v3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[4, 1, 1, 24]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<4x24xi8>, !tosa.shape<4>) -> tensor<4x1x1x24xi8>
    %3 = "tosa.const"() <{values = dense<sha256 33fe606b5c420152> : tensor<6x1x1x24xi8>}> : () -> tensor<6x1x1x24xi8>
    %4 = "tosa.const"() <{values = dense<[38, 1339, -1277, 1035, -193, -102]> : tensor<6xi32>}> : () -> tensor<6xi32>
    %5 = "tosa.const"() <{values = dense<[5]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = "tosa.conv2d"(%2, %3, %4, %5, %6) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<4x1x1x24xi8>, tensor<6x1x1x24xi8>, tensor<6xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<4x1x1x6xi32>
    %8 = "tosa.cast"(%7) : (tensor<4x1x1x6xi32>) -> tensor<4x1x1x6xf32>
    %9 = "tosa.const"() <{values = dense<[[[[0.004001205787062645, 0.012869973666965961, 0.0030837315134704113, 0.008484388701617718, 0.0014544213190674782, 0.0014519833493977785]]]]> : tensor<1x1x1x6xf32>}> : () -> tensor<1x1x1x6xf32>
    %10 = "tosa.mul"(%8, %9, %6) : (tensor<4x1x1x6xf32>, tensor<1x1x1x6xf32>, tensor<1xi8>) -> tensor<4x1x1x6xf32>
    %11 = "tosa.cast"(%10) : (tensor<4x1x1x6xf32>) -> tensor<4x1x1x6xi32>
    %12 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %13 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %14 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %15 = "tosa.rescale"(%11, %12, %13, %14, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x1x1x6xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x1x1x6xi8>
    %16 = "tosa.clamp"(%15) <{min_val = 2 : i8, max_val = 12 : i8, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x1x1x6xi8>) -> tensor<4x1x1x6xi8>
    %17 = "tosa.const_shape"() <{values = dense<[4, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %18 = "tosa.reshape"(%16, %17) : (tensor<4x1x1x6xi8>, !tosa.shape<2>) -> tensor<4x6xi8>
    return %18 : tensor<4x6xi8>
  }
}
