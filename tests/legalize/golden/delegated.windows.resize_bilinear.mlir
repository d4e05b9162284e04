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
    %1 = "tosa.const"() <{values = dense<"0x80"> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %2 = "tosa.bitwise_xor"(%arg0, %1) : (tensor<1x4x4x2xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x2xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %3 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 RESIZE_BILINEAR 't2'")
    %4 = "tosa.reshape"(%2, %3) : (tensor<1x4x4x2xi8>, !tosa.shape<3>) -> tensor<1x16x2xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %5 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x64xi32>}> : () -> tensor<1x64xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %6 = "tosa.gather"(%4, %5) : (tensor<1x16x2xi8>, tensor<1x64xi32>) -> tensor<1x64x2xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %7 = "tosa.const_shape"() <{values = dense<[1, 8, 8, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 RESIZE_BILINEAR 't2'")
    %8 = "tosa.reshape"(%6, %7) : (tensor<1x64x2xi8>, !tosa.shape<4>) -> tensor<1x8x8x2xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %9 = "tosa.cast"(%8) : (tensor<1x8x8x2xi8>) -> tensor<1x8x8x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %10 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x8x8x1xi32>}> : () -> tensor<1x8x8x1xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %11 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %12 = "tosa.mul"(%9, %10, %11) : (tensor<1x8x8x2xi32>, tensor<1x8x8x1xi32>, tensor<1xi8>) -> tensor<1x8x8x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %13 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x64xi32>}> : () -> tensor<1x64xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %14 = "tosa.gather"(%4, %13) : (tensor<1x16x2xi8>, tensor<1x64xi32>) -> tensor<1x64x2xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %15 = "tosa.reshape"(%14, %7) : (tensor<1x64x2xi8>, !tosa.shape<4>) -> tensor<1x8x8x2xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %16 = "tosa.cast"(%15) : (tensor<1x8x8x2xi8>) -> tensor<1x8x8x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %17 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x8x8x1xi32>}> : () -> tensor<1x8x8x1xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %18 = "tosa.mul"(%16, %17, %11) : (tensor<1x8x8x2xi32>, tensor<1x8x8x1xi32>, tensor<1xi8>) -> tensor<1x8x8x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %19 = "tosa.add"(%12, %18) : (tensor<1x8x8x2xi32>, tensor<1x8x8x2xi32>) -> tensor<1x8x8x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %20 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x64xi32>}> : () -> tensor<1x64xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %21 = "tosa.gather"(%4, %20) : (tensor<1x16x2xi8>, tensor<1x64xi32>) -> tensor<1x64x2xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %22 = "tosa.reshape"(%21, %7) : (tensor<1x64x2xi8>, !tosa.shape<4>) -> tensor<1x8x8x2xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %23 = "tosa.cast"(%22) : (tensor<1x8x8x2xi8>) -> tensor<1x8x8x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %24 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x8x8x1xi32>}> : () -> tensor<1x8x8x1xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %25 = "tosa.mul"(%23, %24, %11) : (tensor<1x8x8x2xi32>, tensor<1x8x8x1xi32>, tensor<1xi8>) -> tensor<1x8x8x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %26 = "tosa.add"(%19, %25) : (tensor<1x8x8x2xi32>, tensor<1x8x8x2xi32>) -> tensor<1x8x8x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %27 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x64xi32>}> : () -> tensor<1x64xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %28 = "tosa.gather"(%4, %27) : (tensor<1x16x2xi8>, tensor<1x64xi32>) -> tensor<1x64x2xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %29 = "tosa.reshape"(%28, %7) : (tensor<1x64x2xi8>, !tosa.shape<4>) -> tensor<1x8x8x2xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %30 = "tosa.cast"(%29) : (tensor<1x8x8x2xi8>) -> tensor<1x8x8x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %31 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x8x8x1xi32>}> : () -> tensor<1x8x8x1xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %32 = "tosa.mul"(%30, %31, %11) : (tensor<1x8x8x2xi32>, tensor<1x8x8x1xi32>, tensor<1xi8>) -> tensor<1x8x8x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %33 = "tosa.add"(%26, %32) : (tensor<1x8x8x2xi32>, tensor<1x8x8x2xi32>) -> tensor<1x8x8x2xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %34 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %35 = "tosa.const"() <{values = dense<"0x34"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %36 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 RESIZE_BILINEAR 't2'")
    %37 = "tosa.rescale"(%33, %34, %35, %36, %11) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x8x8x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x2xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    %38 = "tosa.bitwise_xor"(%37, %1) : (tensor<1x8x8x2xi8>, tensor<1x1x1x1xi8>) -> tensor<1x8x8x2xi8> loc("main:0 RESIZE_BILINEAR 't2'")
    return %38 : tensor<1x8x8x2xi8>
  }
}
