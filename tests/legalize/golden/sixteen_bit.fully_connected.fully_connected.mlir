// before
module {
  func.func @"main"(%arg0: tensor<2x8x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<2x3x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<3x8xi8>}> : () -> tensor<3x8x!quant.uniform<i8:f32, 0.019999999552965164:0>> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.pseudo_const"() <{values = dense<[1, 1, 1]> : tensor<3xi64>}> : () -> tensor<3x!quant.uniform<i64:f32, 0.0010000000474974513:0>> loc("Model.subgraphs[0].tensors[2]")
    %3 = "tfl.fully_connected"(%arg0, %1, %2) <{fused_activation_function = "NONE", weights_format = "DEFAULT", keep_num_dims = false, asymmetric_quantize_inputs = false, quantized_bias_type = "FLOAT32"}> : (tensor<2x8x!quant.uniform<i16:f32, 0.05000000074505806:0>>, tensor<3x8x!quant.uniform<i8:f32, 0.019999999552965164:0>>, tensor<3x!quant.uniform<i64:f32, 0.0010000000474974513:0>>) -> tensor<2x3x!quant.uniform<i16:f32, 0.05000000074505806:0>> loc("main:0 FULLY_CONNECTED 't3'")
    return %3 : tensor<2x3x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x8xi16> {tosa.tensor_name = "t0"}) -> (tensor<2x3xi16> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 1, 1, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 FULLY_CONNECTED 't3'")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x8xi16>, !tosa.shape<4>) -> tensor<2x1x1x8xi16> loc("main:0 FULLY_CONNECTED 't3'")
    %3 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<3x1x1x8xi8>}> : () -> tensor<3x1x1x8xi8> loc("main:0 FULLY_CONNECTED 't3'")
    %4 = "tosa.const"() <{values = dense<[1, 1, 1]> : tensor<3xi48>}> : () -> tensor<3xi48> loc("main:0 FULLY_CONNECTED 't3'")
    %5 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xi16>}> : () -> tensor<1xi16> loc("main:0 FULLY_CONNECTED 't3'")
    %6 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 FULLY_CONNECTED 't3'")
    %7 = "tosa.conv2d"(%2, %3, %4, %5, %6) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i48, local_bound = false}> : (tensor<2x1x1x8xi16>, tensor<3x1x1x8xi8>, tensor<3xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<2x1x1x3xi48> loc("main:0 FULLY_CONNECTED 't3'")
    %8 = "tosa.const"() <{values = dense<"0x0040"> : tensor<1xi16>}> : () -> tensor<1xi16> loc("main:0 FULLY_CONNECTED 't3'")
    %9 = "tosa.const"() <{values = dense<"0x0E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 FULLY_CONNECTED 't3'")
    %10 = "tosa.const"() <{values = dense<[0]> : tensor<1xi48>}> : () -> tensor<1xi48> loc("main:0 FULLY_CONNECTED 't3'")
    %11 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %12 = "tosa.rescale"(%7, %8, %9, %10, %11) <{scale32 = false, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x1x1x3xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi32>) -> tensor<2x1x1x3xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %13 = "tosa.const"() <{values = dense<"0x9BFFE6FF"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %14 = "tosa.maximum"(%12, %13) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<2x1x1x3xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %15 = "tosa.const"() <{values = dense<"0x65001900"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %16 = "tosa.minimum"(%14, %15) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<2x1x1x3xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %17 = "tosa.const"() <{values = dense<"0x06000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %18 = "tosa.arithmetic_right_shift"(%16, %17) <{round = false}> : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<2x1x1x3xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %19 = "tosa.const"() <{values = dense<"0x3F000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %20 = "tosa.bitwise_and"(%16, %19) : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<2x1x1x3xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %21 = "tosa.const"() <{values = dense<"0x40210000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %22 = "tosa.mul"(%18, %21, %6) : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<2x1x1x3xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %23 = "tosa.const"() <{values = dense<"0x85EB5100"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %24 = "tosa.mul"(%20, %23, %6) : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<2x1x1x3xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %25 = "tosa.add"(%22, %24) : (tensor<2x1x1x3xi32>, tensor<2x1x1x3xi32>) -> tensor<2x1x1x3xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %26 = "tosa.const"() <{values = dense<"0xEB510000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %27 = "tosa.mul"(%18, %26, %6) : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<2x1x1x3xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %28 = "tosa.const"() <{values = dense<"0x0E000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %29 = "tosa.arithmetic_right_shift"(%25, %28) <{round = false}> : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<2x1x1x3xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %30 = "tosa.add"(%27, %29) : (tensor<2x1x1x3xi32>, tensor<2x1x1x3xi32>) -> tensor<2x1x1x3xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %31 = "tosa.arithmetic_right_shift"(%30, %28) <{round = true}> : (tensor<2x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<2x1x1x3xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %32 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 FULLY_CONNECTED 't3'")
    %33 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 FULLY_CONNECTED 't3'")
    %34 = "tosa.rescale"(%31, %32, %33, %11, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<2x1x1x3xi16> loc("main:0 FULLY_CONNECTED 't3'")
    %35 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 FULLY_CONNECTED 't3'")
    %36 = "tosa.reshape"(%34, %35) : (tensor<2x1x1x3xi16>, !tosa.shape<2>) -> tensor<2x3xi16> loc("main:0 FULLY_CONNECTED 't3'")
    return %36 : tensor<2x3xi16>
  }
}
