// before
module {
  func.func @"main"(%arg0: tensor<1x5x4x3x!quant.uniform<i8:f32, 0.07627270370721817:-15>> {tosa.tensor_name = "v0"}) -> (tensor<1x7x9x3x!quant.uniform<i8:f32, 0.07627270370721817:-15>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.static_resize_bilinear_2d"(%arg0) <{new_height = 7 : i64, new_width = 9 : i64, flags = 0 : i64}> : (tensor<1x5x4x3x!quant.uniform<i8:f32, 0.07627270370721817:-15>>) -> tensor<1x7x9x3x!quant.uniform<i8:f32, 0.07627270370721817:-15>> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    return %1 : tensor<1x7x9x3x!quant.uniform<i8:f32, 0.07627270370721817:-15>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xi8> {tosa.tensor_name = "v0"}) -> (tensor<1x7x9x3xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 20, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x5x4x3xi8>, !tosa.shape<3>) -> tensor<1x20x3xi8> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %3 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x63xi32>}> : () -> tensor<1x63xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %4 = "tosa.gather"(%2, %3) : (tensor<1x20x3xi8>, tensor<1x63xi32>) -> tensor<1x63x3xi8> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %5 = "tosa.const_shape"() <{values = dense<[1, 7, 9, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x63x3xi8>, !tosa.shape<4>) -> tensor<1x7x9x3xi8> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %7 = "tosa.cast"(%6) : (tensor<1x7x9x3xi8>) -> tensor<1x7x9x3xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %8 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x7x9x1xi32>}> : () -> tensor<1x7x9x1xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %9 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %10 = "tosa.mul"(%7, %8, %9) : (tensor<1x7x9x3xi32>, tensor<1x7x9x1xi32>, tensor<1xi8>) -> tensor<1x7x9x3xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %11 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x63xi32>}> : () -> tensor<1x63xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %12 = "tosa.gather"(%2, %11) : (tensor<1x20x3xi8>, tensor<1x63xi32>) -> tensor<1x63x3xi8> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %13 = "tosa.reshape"(%12, %5) : (tensor<1x63x3xi8>, !tosa.shape<4>) -> tensor<1x7x9x3xi8> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %14 = "tosa.cast"(%13) : (tensor<1x7x9x3xi8>) -> tensor<1x7x9x3xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %15 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x7x9x1xi32>}> : () -> tensor<1x7x9x1xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %16 = "tosa.mul"(%14, %15, %9) : (tensor<1x7x9x3xi32>, tensor<1x7x9x1xi32>, tensor<1xi8>) -> tensor<1x7x9x3xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %17 = "tosa.add"(%10, %16) : (tensor<1x7x9x3xi32>, tensor<1x7x9x3xi32>) -> tensor<1x7x9x3xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %18 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x63xi32>}> : () -> tensor<1x63xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %19 = "tosa.gather"(%2, %18) : (tensor<1x20x3xi8>, tensor<1x63xi32>) -> tensor<1x63x3xi8> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %20 = "tosa.reshape"(%19, %5) : (tensor<1x63x3xi8>, !tosa.shape<4>) -> tensor<1x7x9x3xi8> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %21 = "tosa.cast"(%20) : (tensor<1x7x9x3xi8>) -> tensor<1x7x9x3xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %22 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x7x9x1xi32>}> : () -> tensor<1x7x9x1xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %23 = "tosa.mul"(%21, %22, %9) : (tensor<1x7x9x3xi32>, tensor<1x7x9x1xi32>, tensor<1xi8>) -> tensor<1x7x9x3xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %24 = "tosa.add"(%17, %23) : (tensor<1x7x9x3xi32>, tensor<1x7x9x3xi32>) -> tensor<1x7x9x3xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %25 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x63xi32>}> : () -> tensor<1x63xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %26 = "tosa.gather"(%2, %25) : (tensor<1x20x3xi8>, tensor<1x63xi32>) -> tensor<1x63x3xi8> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %27 = "tosa.reshape"(%26, %5) : (tensor<1x63x3xi8>, !tosa.shape<4>) -> tensor<1x7x9x3xi8> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %28 = "tosa.cast"(%27) : (tensor<1x7x9x3xi8>) -> tensor<1x7x9x3xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %29 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x7x9x1xi32>}> : () -> tensor<1x7x9x1xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %30 = "tosa.mul"(%28, %29, %9) : (tensor<1x7x9x3xi32>, tensor<1x7x9x1xi32>, tensor<1xi8>) -> tensor<1x7x9x3xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %31 = "tosa.add"(%24, %30) : (tensor<1x7x9x3xi32>, tensor<1x7x9x3xi32>) -> tensor<1x7x9x3xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %32 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %33 = "tosa.const"() <{values = dense<"0x34"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %34 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    %35 = "tosa.rescale"(%31, %32, %33, %34, %9) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x7x9x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x7x9x3xi8> loc("main:0 XNNStaticResizeBilinear2D handle 0")
    return %35 : tensor<1x7x9x3xi8>
  }
}
