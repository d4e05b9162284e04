// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x8x8x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[8, 8]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.resize_bilinear"(%arg0, %1) <{align_corners = false, half_pixel_centers = false}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>>, tensor<2xi32>) -> tensor<1x8x8x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>>
    return %2 : tensor<1x8x8x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x8x8x2xi16> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 1, 2, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const_shape"() <{values = dense<[0, 0]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.const_shape"() <{values = dense<[1, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %4 = "tosa.resize"(%arg0, %1, %2, %3) <{mode = #tosa.resize_mode<BILINEAR>}> : (tensor<1x4x4x2xi16>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x2xi48>
    %5 = "tosa.const"() <{values = dense<[16384]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %6 = "tosa.const"() <{values = dense<[14]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = "tosa.const"() <{values = dense<[0]> : tensor<1xi48>}> : () -> tensor<1xi48>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "tosa.rescale"(%4, %5, %6, %7, %8) <{scale32 = false, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x8x8x2xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi32>) -> tensor<1x8x8x2xi32>
    %10 = "tosa.const"() <{values = dense<[1073741825]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %11 = "tosa.const"() <{values = dense<[32]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %13 = "tosa.rescale"(%9, %10, %11, %8, %12) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x8x8x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x8x8x2xi16>
    return %13 : tensor<1x8x8x2xi16>
  }
}
