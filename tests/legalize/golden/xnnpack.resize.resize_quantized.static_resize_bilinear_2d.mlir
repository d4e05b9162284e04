// before
module {
  func.func @"main"(%arg0: tensor<1x5x4x3x!quant.uniform<i8:f32, 0.07627270370721817:-15>> {tosa.tensor_name = "v0"}) -> (tensor<1x7x9x3x!quant.uniform<i8:f32, 0.07627270370721817:-15>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.static_resize_bilinear_2d"(%arg0) <{new_height = 7 : i64, new_width = 9 : i64, flags = 0 : i64}> : (tensor<1x5x4x3x!quant.uniform<i8:f32, 0.07627270370721817:-15>>) -> tensor<1x7x9x3x!quant.uniform<i8:f32, 0.07627270370721817:-15>>
    return %1 : tensor<1x7x9x3x!quant.uniform<i8:f32, 0.07627270370721817:-15>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xi8> {tosa.tensor_name = "v0"}) -> (tensor<1x7x9x3xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 20, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x5x4x3xi8>, !tosa.shape<3>) -> tensor<1x20x3xi8>
    %3 = "tosa.const"() <{values = dense<sha256 87488aed5b568f8c> : tensor<1x63xi32>}> : () -> tensor<1x63xi32>
    %4 = "tosa.gather"(%2, %3) : (tensor<1x20x3xi8>, tensor<1x63xi32>) -> tensor<1x63x3xi8>
    %5 = "tosa.const_shape"() <{values = dense<[1, 7, 9, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x63x3xi8>, !tosa.shape<4>) -> tensor<1x7x9x3xi8>
    %7 = "tosa.cast"(%6) : (tensor<1x7x9x3xi8>) -> tensor<1x7x9x3xi32>
    %8 = "tosa.const"() <{values = dense<sha256 83f3e6338ad91793> : tensor<1x7x9x1xi32>}> : () -> tensor<1x7x9x1xi32>
    %9 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.mul"(%7, %8, %9) : (tensor<1x7x9x3xi32>, tensor<1x7x9x1xi32>, tensor<1xi8>) -> tensor<1x7x9x3xi32>
    %11 = "tosa.const"() <{values = dense<sha256 05ce9487f1a6eae7> : tensor<1x63xi32>}> : () -> tensor<1x63xi32>
    %12 = "tosa.gather"(%2, %11) : (tensor<1x20x3xi8>, tensor<1x63xi32>) -> tensor<1x63x3xi8>
    %13 = "tosa.reshape"(%12, %5) : (tensor<1x63x3xi8>, !tosa.shape<4>) -> tensor<1x7x9x3xi8>
    %14 = "tosa.cast"(%13) : (tensor<1x7x9x3xi8>) -> tensor<1x7x9x3xi32>
    %15 = "tosa.const"() <{values = dense<sha256 37a5d49e8705c783> : tensor<1x7x9x1xi32>}> : () -> tensor<1x7x9x1xi32>
    %16 = "tosa.mul"(%14, %15, %9) : (tensor<1x7x9x3xi32>, tensor<1x7x9x1xi32>, tensor<1xi8>) -> tensor<1x7x9x3xi32>
    %17 = "tosa.add"(%10, %16) : (tensor<1x7x9x3xi32>, tensor<1x7x9x3xi32>) -> tensor<1x7x9x3xi32>
    %18 = "tosa.const"() <{values = dense<sha256 a0440b96d0e5132b> : tensor<1x63xi32>}> : () -> tensor<1x63xi32>
    %19 = "tosa.gather"(%2, %18) : (tensor<1x20x3xi8>, tensor<1x63xi32>) -> tensor<1x63x3xi8>
    %20 = "tosa.reshape"(%19, %5) : (tensor<1x63x3xi8>, !tosa.shape<4>) -> tensor<1x7x9x3xi8>
    %21 = "tosa.cast"(%20) : (tensor<1x7x9x3xi8>) -> tensor<1x7x9x3xi32>
    %22 = "tosa.const"() <{values = dense<sha256 6d5af7ca9787b72a> : tensor<1x7x9x1xi32>}> : () -> tensor<1x7x9x1xi32>
    %23 = "tosa.mul"(%21, %22, %9) : (tensor<1x7x9x3xi32>, tensor<1x7x9x1xi32>, tensor<1xi8>) -> tensor<1x7x9x3xi32>
    %24 = "tosa.add"(%17, %23) : (tensor<1x7x9x3xi32>, tensor<1x7x9x3xi32>) -> tensor<1x7x9x3xi32>
    %25 = "tosa.const"() <{values = dense<sha256 8b497800be023675> : tensor<1x63xi32>}> : () -> tensor<1x63xi32>
    %26 = "tosa.gather"(%2, %25) : (tensor<1x20x3xi8>, tensor<1x63xi32>) -> tensor<1x63x3xi8>
    %27 = "tosa.reshape"(%26, %5) : (tensor<1x63x3xi8>, !tosa.shape<4>) -> tensor<1x7x9x3xi8>
    %28 = "tosa.cast"(%27) : (tensor<1x7x9x3xi8>) -> tensor<1x7x9x3xi32>
    %29 = "tosa.const"() <{values = dense<sha256 499cb86ad5eeaab4> : tensor<1x7x9x1xi32>}> : () -> tensor<1x7x9x1xi32>
    %30 = "tosa.mul"(%28, %29, %9) : (tensor<1x7x9x3xi32>, tensor<1x7x9x1xi32>, tensor<1xi8>) -> tensor<1x7x9x3xi32>
    %31 = "tosa.add"(%24, %30) : (tensor<1x7x9x3xi32>, tensor<1x7x9x3xi32>) -> tensor<1x7x9x3xi32>
    %32 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %33 = "tosa.const"() <{values = dense<[52]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %34 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %35 = "tosa.rescale"(%31, %32, %33, %34, %9) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x7x9x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x7x9x3xi8>
    return %35 : tensor<1x7x9x3xi8>
  }
}
