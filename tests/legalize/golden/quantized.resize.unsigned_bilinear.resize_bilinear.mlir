// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<ui8:f32, 0.05000000074505806:125>> {tosa.tensor_name = "t0"}) -> (tensor<1x8x8x2x!quant.uniform<ui8:f32, 0.05000000074505806:125>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x0800000008000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.resize_bilinear"(%arg0, %1) <{align_corners = false, half_pixel_centers = false}> : (tensor<1x4x4x2x!quant.uniform<ui8:f32, 0.05000000074505806:125>>, tensor<2xi32>) -> tensor<1x8x8x2x!quant.uniform<ui8:f32, 0.05000000074505806:125>> loc("main:0 RESIZE_BILINEAR 't2'")
    return %2 : tensor<1x8x8x2x!quant.uniform<ui8:f32, 0.05000000074505806:125>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x8x8x2xi8> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %2 = "tosa.const"() <{values = dense<"0xFF000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %3 = "tosa.bitwise_and"(%1, %2) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %4 = "tosa.cast"(%3) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %5 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 RESIZE_BILINEAR 't2'")
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %7 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x64xi32>}> : () -> tensor<1x64xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %8 = "tosa.gather"(%6, %7) : (tensor<1x16x2xf32>, tensor<1x64xi32>) -> tensor<1x64x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %9 = "tosa.const_shape"() <{values = dense<[1, 8, 8, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 RESIZE_BILINEAR 't2'")
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x64x2xf32>, !tosa.shape<4>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %11 = "tosa.const"() <{values = dense<"0x0000803F0000003F0000803F0000003F0000803F0000003F0000803F0000003F"> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %12 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %13 = "tosa.mul"(%10, %11, %12) : (tensor<1x8x8x2xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %14 = "tosa.const"() <{values = dense<"0x0000803F0000003F0000803F0000003F0000803F0000003F0000803F0000003F"> : tensor<1x1x8x1xf32>}> : () -> tensor<1x1x8x1xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %15 = "tosa.mul"(%13, %14, %12) : (tensor<1x8x8x2xf32>, tensor<1x1x8x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %16 = "tosa.reshape"(%4, %5) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %17 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x64xi32>}> : () -> tensor<1x64xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %18 = "tosa.gather"(%16, %17) : (tensor<1x16x2xf32>, tensor<1x64xi32>) -> tensor<1x64x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %19 = "tosa.reshape"(%18, %9) : (tensor<1x64x2xf32>, !tosa.shape<4>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %20 = "tosa.const"() <{values = dense<"0x000000000000003F000000000000003F000000000000003F000000000000003F"> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %21 = "tosa.mul"(%19, %20, %12) : (tensor<1x8x8x2xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %22 = "tosa.mul"(%21, %14, %12) : (tensor<1x8x8x2xf32>, tensor<1x1x8x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %23 = "tosa.add"(%15, %22) : (tensor<1x8x8x2xf32>, tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %24 = "tosa.reshape"(%4, %5) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %25 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x64xi32>}> : () -> tensor<1x64xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %26 = "tosa.gather"(%24, %25) : (tensor<1x16x2xf32>, tensor<1x64xi32>) -> tensor<1x64x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %27 = "tosa.reshape"(%26, %9) : (tensor<1x64x2xf32>, !tosa.shape<4>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %28 = "tosa.mul"(%27, %11, %12) : (tensor<1x8x8x2xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %29 = "tosa.const"() <{values = dense<"0x000000000000003F000000000000003F000000000000003F000000000000003F"> : tensor<1x1x8x1xf32>}> : () -> tensor<1x1x8x1xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %30 = "tosa.mul"(%28, %29, %12) : (tensor<1x8x8x2xf32>, tensor<1x1x8x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %31 = "tosa.add"(%23, %30) : (tensor<1x8x8x2xf32>, tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %32 = "tosa.reshape"(%4, %5) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %33 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x64xi32>}> : () -> tensor<1x64xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %34 = "tosa.gather"(%32, %33) : (tensor<1x16x2xf32>, tensor<1x64xi32>) -> tensor<1x64x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %35 = "tosa.reshape"(%34, %9) : (tensor<1x64x2xf32>, !tosa.shape<4>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %36 = "tosa.mul"(%35, %20, %12) : (tensor<1x8x8x2xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %37 = "tosa.mul"(%36, %29, %12) : (tensor<1x8x8x2xf32>, tensor<1x1x8x1xf32>, tensor<1xi8>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %38 = "tosa.add"(%31, %37) : (tensor<1x8x8x2xf32>, tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %39 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %40 = "tosa.add"(%38, %39) : (tensor<1x8x8x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %41 = "tosa.floor"(%40) : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32> loc("main:0 RESIZE_BILINEAR 't2'")
    %42 = "tosa.cast"(%41) : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %43 = "tosa.cast"(%42) : (tensor<1x8x8x2xi32>) -> tensor<1x8x8x2xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    return %43 : tensor<1x8x8x2xi8>
  }
}
