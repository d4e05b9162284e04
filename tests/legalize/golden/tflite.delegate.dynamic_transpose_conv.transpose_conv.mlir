// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x8x8x3xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 8, 8, 3]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<sha256 42804216e942e82a> : tensor<3x2x2x2xi8>}> : () -> tensor<3x2x2x2x!quant.uniform<i8:f32:0, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>>
    %3 = "tfl.pseudo_const"() <{values = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %4 = "tfl.transpose_conv"(%1, %2, %arg0, %3) <{padding = "SAME", stride_w = 2 : i64, stride_h = 2 : i64, fused_activation_function = "NONE", quantized_bias_type = "FLOAT32"}> : (tensor<4xi32>, tensor<3x2x2x2x!quant.uniform<i8:f32:0, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>>, tensor<1x4x4x2xf32>, tensor<3xf32>) -> tensor<1x8x8x3xf32>
    return %4 : tensor<1x8x8x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x8x8x3xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 32]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %3 = "tosa.const"() <{values = dense<[[6.162975822039155e-33]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %4 = "tosa.reduce_max"(%2) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x32xf32>) -> tensor<1x1xf32>
    %5 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %6 = "tosa.maximum"(%4, %5) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %7 = "tosa.reduce_min"(%2) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x32xf32>) -> tensor<1x1xf32>
    %8 = "tosa.minimum"(%7, %5) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %9 = "tosa.sub"(%6, %8) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %10 = "tosa.greater"(%3, %9) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
    %11 = "tosa.const"() <{values = dense<[[1.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %12 = "tosa.reciprocal"(%9) : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %13 = "tosa.const"() <{values = dense<[[255.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %14 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = "tosa.mul"(%12, %13, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %16 = "tosa.mul"(%15, %9, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %17 = "tosa.sub"(%13, %16) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %18 = "tosa.const"() <{values = dense<[[4097.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %19 = "tosa.mul"(%15, %18, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %20 = "tosa.sub"(%19, %15) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %21 = "tosa.sub"(%19, %20) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %22 = "tosa.mul"(%9, %18, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %23 = "tosa.sub"(%22, %9) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %24 = "tosa.sub"(%22, %23) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %25 = "tosa.mul"(%21, %24, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %26 = "tosa.sub"(%25, %16) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %27 = "tosa.sub"(%9, %24) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %28 = "tosa.mul"(%21, %27, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %29 = "tosa.add"(%26, %28) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %30 = "tosa.sub"(%15, %21) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %31 = "tosa.mul"(%30, %24, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %32 = "tosa.add"(%29, %31) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %33 = "tosa.mul"(%30, %27, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %34 = "tosa.add"(%32, %33) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %35 = "tosa.sub"(%17, %34) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %36 = "tosa.const"() <{values = dense<[[0.9999999403953552]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %37 = "tosa.mul"(%12, %36, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %38 = "tosa.mul"(%35, %37, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %39 = "tosa.add"(%15, %38) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %40 = "tosa.select"(%10, %11, %39) : (tensor<1x1xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %41 = "tosa.mul"(%2, %40, %14) : (tensor<1x32xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x32xf32>
    %42 = "tosa.cast"(%41) : (tensor<1x32xf32>) -> tensor<1x32xi32>
    %43 = "tosa.const"() <{values = dense<[[-128.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %44 = "tosa.mul"(%8, %40, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %45 = "tosa.add"(%43, %44) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %46 = "tosa.const"() <{values = dense<[[127.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %47 = "tosa.mul"(%6, %40, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %48 = "tosa.add"(%46, %47) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %49 = "tosa.add"(%45, %48) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %50 = "tosa.greater"(%49, %5) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
    %51 = "tosa.sub"(%43, %44) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %52 = "tosa.sub"(%46, %47) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %53 = "tosa.select"(%50, %51, %52) : (tensor<1x1xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %54 = "tosa.clamp"(%53) <{min_val = 0xC3000000 : f32, max_val = 0x42FE0000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %55 = "tosa.cast"(%54) : (tensor<1x1xf32>) -> tensor<1x1xi32>
    %56 = "tosa.add"(%42, %55) : (tensor<1x32xi32>, tensor<1x1xi32>) -> tensor<1x32xi32>
    %57 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %58 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %59 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %60 = "tosa.rescale"(%56, %57, %58, %59, %14) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x32xi8>
    %61 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %62 = "tosa.reshape"(%60, %61) : (tensor<1x32xi8>, !tosa.shape<4>) -> tensor<1x4x4x2xi8>
    %63 = "tosa.cast"(%62) : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi32>
    %64 = "tosa.const_shape"() <{values = dense<[1, 1, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %65 = "tosa.reshape"(%55, %64) : (tensor<1x1xi32>, !tosa.shape<4>) -> tensor<1x1x1x1xi32>
    %66 = "tosa.sub"(%63, %65) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %67 = "tosa.cast"(%66) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xf32>
    %68 = "tosa.const"() <{values = dense<sha256 be35c6522e0ce0f2> : tensor<3x2x2x2xf32>}> : () -> tensor<3x2x2x2xf32>
    %69 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %70 = "tosa.transpose_conv2d"(%67, %68, %69, %69, %69) <{out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, acc_type = f32, local_bound = false}> : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x3xf32>
    %71 = "tosa.reciprocal"(%40) : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %72 = "tosa.mul"(%71, %11, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %73 = "tosa.mul"(%72, %40, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %74 = "tosa.sub"(%11, %73) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %75 = "tosa.mul"(%72, %18, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %76 = "tosa.sub"(%75, %72) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %77 = "tosa.sub"(%75, %76) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %78 = "tosa.mul"(%40, %18, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %79 = "tosa.sub"(%78, %40) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %80 = "tosa.sub"(%78, %79) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %81 = "tosa.mul"(%77, %80, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %82 = "tosa.sub"(%81, %73) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %83 = "tosa.sub"(%40, %80) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %84 = "tosa.mul"(%77, %83, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %85 = "tosa.add"(%82, %84) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %86 = "tosa.sub"(%72, %77) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %87 = "tosa.mul"(%86, %80, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %88 = "tosa.add"(%85, %87) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %89 = "tosa.mul"(%86, %83, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %90 = "tosa.add"(%88, %89) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %91 = "tosa.sub"(%74, %90) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %92 = "tosa.mul"(%71, %36, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %93 = "tosa.mul"(%91, %92, %14) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %94 = "tosa.add"(%72, %93) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %95 = "tosa.reshape"(%94, %64) : (tensor<1x1xf32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %96 = "tosa.mul"(%70, %95, %14) : (tensor<1x8x8x3xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x8x8x3xf32>
    %97 = "tosa.const"() <{values = dense<[[[[0.009999999776482582, 0.014999999664723873, 0.019999999552965164]]]]> : tensor<1x1x1x3xf32>}> : () -> tensor<1x1x1x3xf32>
    %98 = "tosa.mul"(%96, %97, %14) : (tensor<1x8x8x3xf32>, tensor<1x1x1x3xf32>, tensor<1xi8>) -> tensor<1x8x8x3xf32>
    %99 = "tosa.const"() <{values = dense<[[[[1.0, 1.0, 1.0]]]]> : tensor<1x1x1x3xf32>}> : () -> tensor<1x1x1x3xf32>
    %100 = "tosa.add"(%98, %99) : (tensor<1x8x8x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x8x8x3xf32>
    return %100 : tensor<1x8x8x3xf32>
  }
}
