// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<ui8:f32, 0.05000000074505806:125>> {tosa.tensor_name = "t0"}) -> (tensor<1x8x8x2x!quant.uniform<ui8:f32, 0.05000000074505806:125>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[8, 8]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.resize_bilinear"(%arg0, %1) <{align_corners = false, half_pixel_centers = false}> : (tensor<1x4x4x2x!quant.uniform<ui8:f32, 0.05000000074505806:125>>, tensor<2xi32>) -> tensor<1x8x8x2x!quant.uniform<ui8:f32, 0.05000000074505806:125>>
    return %2 : tensor<1x8x8x2x!quant.uniform<ui8:f32, 0.05000000074505806:125>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x8x8x2xi8> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<[[[[-128]]]]> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %2 = "tosa.bitwise_xor"(%arg0, %1) : (tensor<1x4x4x2xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x2xi8>
    %3 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%2, %3) : (tensor<1x4x4x2xi8>, !tosa.shape<3>) -> tensor<1x16x2xi8>
    %5 = "tosa.const"() <{values = dense<sha256 de3685d1837fb330> : tensor<1x64xi32>}> : () -> tensor<1x64xi32>
    %6 = "tosa.gather"(%4, %5) : (tensor<1x16x2xi8>, tensor<1x64xi32>) -> tensor<1x64x2xi8>
    %7 = "tosa.const_shape"() <{values = dense<[1, 8, 8, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %8 = "tosa.reshape"(%6, %7) : (tensor<1x64x2xi8>, !tosa.shape<4>) -> tensor<1x8x8x2xi8>
    %9 = "tosa.cast"(%8) : (tensor<1x8x8x2xi8>) -> tensor<1x8x8x2xi32>
    %10 = "tosa.const"() <{values = dense<sha256 84315bb1f03e16ba> : tensor<1x8x8x1xi32>}> : () -> tensor<1x8x8x1xi32>
    %11 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.mul"(%9, %10, %11) : (tensor<1x8x8x2xi32>, tensor<1x8x8x1xi32>, tensor<1xi8>) -> tensor<1x8x8x2xi32>
    %13 = "tosa.const"() <{values = dense<sha256 a1e31126aa55c800> : tensor<1x64xi32>}> : () -> tensor<1x64xi32>
    %14 = "tosa.gather"(%4, %13) : (tensor<1x16x2xi8>, tensor<1x64xi32>) -> tensor<1x64x2xi8>
    %15 = "tosa.reshape"(%14, %7) : (tensor<1x64x2xi8>, !tosa.shape<4>) -> tensor<1x8x8x2xi8>
    %16 = "tosa.cast"(%15) : (tensor<1x8x8x2xi8>) -> tensor<1x8x8x2xi32>
    %17 = "tosa.const"() <{values = dense<sha256 f57f0eda20488129> : tensor<1x8x8x1xi32>}> : () -> tensor<1x8x8x1xi32>
    %18 = "tosa.mul"(%16, %17, %11) : (tensor<1x8x8x2xi32>, tensor<1x8x8x1xi32>, tensor<1xi8>) -> tensor<1x8x8x2xi32>
    %19 = "tosa.add"(%12, %18) : (tensor<1x8x8x2xi32>, tensor<1x8x8x2xi32>) -> tensor<1x8x8x2xi32>
    %20 = "tosa.const"() <{values = dense<sha256 6727936751355208> : tensor<1x64xi32>}> : () -> tensor<1x64xi32>
    %21 = "tosa.gather"(%4, %20) : (tensor<1x16x2xi8>, tensor<1x64xi32>) -> tensor<1x64x2xi8>
    %22 = "tosa.reshape"(%21, %7) : (tensor<1x64x2xi8>, !tosa.shape<4>) -> tensor<1x8x8x2xi8>
    %23 = "tosa.cast"(%22) : (tensor<1x8x8x2xi8>) -> tensor<1x8x8x2xi32>
    %24 = "tosa.const"() <{values = dense<sha256 7e8a965a7facd56d> : tensor<1x8x8x1xi32>}> : () -> tensor<1x8x8x1xi32>
    %25 = "tosa.mul"(%23, %24, %11) : (tensor<1x8x8x2xi32>, tensor<1x8x8x1xi32>, tensor<1xi8>) -> tensor<1x8x8x2xi32>
    %26 = "tosa.add"(%19, %25) : (tensor<1x8x8x2xi32>, tensor<1x8x8x2xi32>) -> tensor<1x8x8x2xi32>
    %27 = "tosa.const"() <{values = dense<sha256 f308cf00ba7f116c> : tensor<1x64xi32>}> : () -> tensor<1x64xi32>
    %28 = "tosa.gather"(%4, %27) : (tensor<1x16x2xi8>, tensor<1x64xi32>) -> tensor<1x64x2xi8>
    %29 = "tosa.reshape"(%28, %7) : (tensor<1x64x2xi8>, !tosa.shape<4>) -> tensor<1x8x8x2xi8>
    %30 = "tosa.cast"(%29) : (tensor<1x8x8x2xi8>) -> tensor<1x8x8x2xi32>
    %31 = "tosa.const"() <{values = dense<sha256 ecc438de53cf9abb> : tensor<1x8x8x1xi32>}> : () -> tensor<1x8x8x1xi32>
    %32 = "tosa.mul"(%30, %31, %11) : (tensor<1x8x8x2xi32>, tensor<1x8x8x1xi32>, tensor<1xi8>) -> tensor<1x8x8x2xi32>
    %33 = "tosa.add"(%26, %32) : (tensor<1x8x8x2xi32>, tensor<1x8x8x2xi32>) -> tensor<1x8x8x2xi32>
    %34 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %35 = "tosa.const"() <{values = dense<[52]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %36 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %37 = "tosa.rescale"(%33, %34, %35, %36, %11) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x8x8x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x2xi8>
    %38 = "tosa.bitwise_xor"(%37, %1) : (tensor<1x8x8x2xi8>, tensor<1x1x1x1xi8>) -> tensor<1x8x8x2xi8>
    return %38 : tensor<1x8x8x2xi8>
  }
}
