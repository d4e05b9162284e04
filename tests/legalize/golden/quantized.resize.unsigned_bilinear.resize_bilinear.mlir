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
    %1 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi32>
    %2 = "tosa.const"() <{values = dense<[[[[255]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %3 = "tosa.bitwise_and"(%1, %2) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %4 = "tosa.cast"(%3) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32>
    %7 = "tosa.const"() <{values = dense<sha256 de3685d1837fb330> : tensor<1x64xi32>}> : () -> tensor<1x64xi32>
    %8 = "tosa.gather"(%6, %7) : (tensor<1x16x2xf32>, tensor<1x64xi32>) -> tensor<1x64x2xf32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 8, 8, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x64x2xf32>, !tosa.shape<4>) -> tensor<1x8x8x2xf32>
    %11 = "tosa.const"() <{values = dense<[[[[1.0]], [[0.5]], [[1.0]], [[0.5]], [[1.0]], [[0.5]], [[1.0]], [[0.5]]]]> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32>
    %12 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %13 = "tosa.mul"(%10, %11, %12) : (tensor<1x8x8x2xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32>
    %14 = "tosa.const"() <{values = dense<[[[[1.0], [0.5], [1.0], [0.5], [1.0], [0.5], [1.0], [0.5]]]]> : tensor<1x1x8x1xf32>}> : () -> tensor<1x1x8x1xf32>
    %15 = "tosa.mul"(%13, %14, %12) : (tensor<1x8x8x2xf32>, tensor<1x1x8x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32>
    %16 = "tosa.reshape"(%4, %5) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32>
    %17 = "tosa.const"() <{values = dense<sha256 6727936751355208> : tensor<1x64xi32>}> : () -> tensor<1x64xi32>
    %18 = "tosa.gather"(%16, %17) : (tensor<1x16x2xf32>, tensor<1x64xi32>) -> tensor<1x64x2xf32>
    %19 = "tosa.reshape"(%18, %9) : (tensor<1x64x2xf32>, !tosa.shape<4>) -> tensor<1x8x8x2xf32>
    %20 = "tosa.const"() <{values = dense<[[[[0.0]], [[0.5]], [[0.0]], [[0.5]], [[0.0]], [[0.5]], [[0.0]], [[0.5]]]]> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32>
    %21 = "tosa.mul"(%19, %20, %12) : (tensor<1x8x8x2xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32>
    %22 = "tosa.mul"(%21, %14, %12) : (tensor<1x8x8x2xf32>, tensor<1x1x8x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32>
    %23 = "tosa.add"(%15, %22) : (tensor<1x8x8x2xf32>, tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
    %24 = "tosa.reshape"(%4, %5) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32>
    %25 = "tosa.const"() <{values = dense<sha256 a1e31126aa55c800> : tensor<1x64xi32>}> : () -> tensor<1x64xi32>
    %26 = "tosa.gather"(%24, %25) : (tensor<1x16x2xf32>, tensor<1x64xi32>) -> tensor<1x64x2xf32>
    %27 = "tosa.reshape"(%26, %9) : (tensor<1x64x2xf32>, !tosa.shape<4>) -> tensor<1x8x8x2xf32>
    %28 = "tosa.mul"(%27, %11, %12) : (tensor<1x8x8x2xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32>
    %29 = "tosa.const"() <{values = dense<[[[[0.0], [0.5], [0.0], [0.5], [0.0], [0.5], [0.0], [0.5]]]]> : tensor<1x1x8x1xf32>}> : () -> tensor<1x1x8x1xf32>
    %30 = "tosa.mul"(%28, %29, %12) : (tensor<1x8x8x2xf32>, tensor<1x1x8x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32>
    %31 = "tosa.add"(%23, %30) : (tensor<1x8x8x2xf32>, tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
    %32 = "tosa.reshape"(%4, %5) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32>
    %33 = "tosa.const"() <{values = dense<sha256 f308cf00ba7f116c> : tensor<1x64xi32>}> : () -> tensor<1x64xi32>
    %34 = "tosa.gather"(%32, %33) : (tensor<1x16x2xf32>, tensor<1x64xi32>) -> tensor<1x64x2xf32>
    %35 = "tosa.reshape"(%34, %9) : (tensor<1x64x2xf32>, !tosa.shape<4>) -> tensor<1x8x8x2xf32>
    %36 = "tosa.mul"(%35, %20, %12) : (tensor<1x8x8x2xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32>
    %37 = "tosa.mul"(%36, %29, %12) : (tensor<1x8x8x2xf32>, tensor<1x1x8x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32>
    %38 = "tosa.add"(%31, %37) : (tensor<1x8x8x2xf32>, tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
    %39 = "tosa.const"() <{values = dense<[[[[0.5]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %40 = "tosa.add"(%38, %39) : (tensor<1x8x8x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x8x8x2xf32>
    %41 = "tosa.floor"(%40) : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
    %42 = "tosa.cast"(%41) : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xi32>
    %43 = "tosa.cast"(%42) : (tensor<1x8x8x2xi32>) -> tensor<1x8x8x2xi8>
    return %43 : tensor<1x8x8x2xi8>
  }
}
