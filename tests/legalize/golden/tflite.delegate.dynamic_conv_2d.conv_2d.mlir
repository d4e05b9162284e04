// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<sha256 42804216e942e82a> : tensor<3x2x2x2xi8>}> : () -> tensor<3x2x2x2x!quant.uniform<i8:f32:0, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>>
    %2 = "tfl.pseudo_const"() <{values = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %3 = "tfl.conv_2d"(%arg0, %1, %2) <{padding = "SAME", stride_w = 1 : i64, stride_h = 1 : i64, fused_activation_function = "NONE", dilation_w_factor = 1 : i64, dilation_h_factor = 1 : i64, quantized_bias_type = "FLOAT32"}> : (tensor<1x4x4x2xf32>, tensor<3x2x2x2x!quant.uniform<i8:f32:0, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
    return %3 : tensor<1x4x4x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 1, 0, 1, 0, 0]> : tensor<8xindex>}> : () -> !tosa.shape<8>
    %2 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x5x5x2xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 50]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x5x5x2xf32>, !tosa.shape<2>) -> tensor<1x50xf32>
    %6 = "tosa.const"() <{values = dense<[[6.162975822039155e-33]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %7 = "tosa.reduce_max"(%5) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x50xf32>) -> tensor<1x1xf32>
    %8 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %9 = "tosa.maximum"(%7, %8) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %10 = "tosa.reduce_min"(%5) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x50xf32>) -> tensor<1x1xf32>
    %11 = "tosa.minimum"(%10, %8) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %12 = "tosa.sub"(%9, %11) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %13 = "tosa.greater"(%6, %12) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
    %14 = "tosa.const"() <{values = dense<[[1.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %15 = "tosa.reciprocal"(%12) : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %16 = "tosa.const"() <{values = dense<[[255.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %17 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %18 = "tosa.mul"(%15, %16, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %19 = "tosa.mul"(%18, %12, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %20 = "tosa.sub"(%16, %19) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %21 = "tosa.const"() <{values = dense<[[4097.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %22 = "tosa.mul"(%18, %21, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %23 = "tosa.sub"(%22, %18) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %24 = "tosa.sub"(%22, %23) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %25 = "tosa.mul"(%12, %21, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %26 = "tosa.sub"(%25, %12) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %27 = "tosa.sub"(%25, %26) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %28 = "tosa.mul"(%24, %27, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %29 = "tosa.sub"(%28, %19) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %30 = "tosa.sub"(%12, %27) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %31 = "tosa.mul"(%24, %30, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %32 = "tosa.add"(%29, %31) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %33 = "tosa.sub"(%18, %24) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %34 = "tosa.mul"(%33, %27, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %35 = "tosa.add"(%32, %34) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %36 = "tosa.mul"(%33, %30, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %37 = "tosa.add"(%35, %36) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %38 = "tosa.sub"(%20, %37) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %39 = "tosa.const"() <{values = dense<[[0.9999999403953552]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %40 = "tosa.mul"(%15, %39, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %41 = "tosa.mul"(%38, %40, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %42 = "tosa.add"(%18, %41) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %43 = "tosa.select"(%13, %14, %42) : (tensor<1x1xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %44 = "tosa.mul"(%5, %43, %17) : (tensor<1x50xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x50xf32>
    %45 = "tosa.cast"(%44) : (tensor<1x50xf32>) -> tensor<1x50xi32>
    %46 = "tosa.const"() <{values = dense<[[-128.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %47 = "tosa.mul"(%11, %43, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %48 = "tosa.add"(%46, %47) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %49 = "tosa.const"() <{values = dense<[[127.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %50 = "tosa.mul"(%9, %43, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %51 = "tosa.add"(%49, %50) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %52 = "tosa.add"(%48, %51) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %53 = "tosa.greater"(%52, %8) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
    %54 = "tosa.sub"(%46, %47) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %55 = "tosa.sub"(%49, %50) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %56 = "tosa.select"(%53, %54, %55) : (tensor<1x1xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %57 = "tosa.clamp"(%56) <{min_val = 0xC3000000 : f32, max_val = 0x42FE0000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %58 = "tosa.cast"(%57) : (tensor<1x1xf32>) -> tensor<1x1xi32>
    %59 = "tosa.add"(%45, %58) : (tensor<1x50xi32>, tensor<1x1xi32>) -> tensor<1x50xi32>
    %60 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %61 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %62 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %63 = "tosa.rescale"(%59, %60, %61, %62, %17) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x50xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x50xi8>
    %64 = "tosa.const_shape"() <{values = dense<[1, 5, 5, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %65 = "tosa.reshape"(%63, %64) : (tensor<1x50xi8>, !tosa.shape<4>) -> tensor<1x5x5x2xi8>
    %66 = "tosa.const"() <{values = dense<sha256 42804216e942e82a> : tensor<3x2x2x2xi8>}> : () -> tensor<3x2x2x2xi8>
    %67 = "tosa.conv2d"(%65, %66, %62, %17, %17) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x5x5x2xi8>, tensor<3x2x2x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x3xi32>
    %68 = "tosa.const_shape"() <{values = dense<[1, 1, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %69 = "tosa.reshape"(%58, %68) : (tensor<1x1xi32>, !tosa.shape<4>) -> tensor<1x1x1x1xi32>
    %70 = "tosa.const"() <{values = dense<[[[[-3, -2, -1]]]]> : tensor<1x1x1x3xi32>}> : () -> tensor<1x1x1x3xi32>
    %71 = "tosa.mul"(%69, %70, %17) : (tensor<1x1x1x1xi32>, tensor<1x1x1x3xi32>, tensor<1xi8>) -> tensor<1x1x1x3xi32>
    %72 = "tosa.sub"(%67, %71) : (tensor<1x4x4x3xi32>, tensor<1x1x1x3xi32>) -> tensor<1x4x4x3xi32>
    %73 = "tosa.cast"(%72) : (tensor<1x4x4x3xi32>) -> tensor<1x4x4x3xf32>
    %74 = "tosa.reciprocal"(%43) : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %75 = "tosa.mul"(%74, %14, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %76 = "tosa.mul"(%75, %43, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %77 = "tosa.sub"(%14, %76) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %78 = "tosa.mul"(%75, %21, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %79 = "tosa.sub"(%78, %75) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %80 = "tosa.sub"(%78, %79) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %81 = "tosa.mul"(%43, %21, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %82 = "tosa.sub"(%81, %43) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %83 = "tosa.sub"(%81, %82) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %84 = "tosa.mul"(%80, %83, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %85 = "tosa.sub"(%84, %76) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %86 = "tosa.sub"(%43, %83) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %87 = "tosa.mul"(%80, %86, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %88 = "tosa.add"(%85, %87) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %89 = "tosa.sub"(%75, %80) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %90 = "tosa.mul"(%89, %83, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %91 = "tosa.add"(%88, %90) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %92 = "tosa.mul"(%89, %86, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %93 = "tosa.add"(%91, %92) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %94 = "tosa.sub"(%77, %93) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %95 = "tosa.mul"(%74, %39, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %96 = "tosa.mul"(%94, %95, %17) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %97 = "tosa.add"(%75, %96) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %98 = "tosa.reshape"(%97, %68) : (tensor<1x1xf32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %99 = "tosa.mul"(%73, %98, %17) : (tensor<1x4x4x3xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x4x3xf32>
    %100 = "tosa.const"() <{values = dense<[[[[0.009999999776482582, 0.014999999664723873, 0.019999999552965164]]]]> : tensor<1x1x1x3xf32>}> : () -> tensor<1x1x1x3xf32>
    %101 = "tosa.mul"(%99, %100, %17) : (tensor<1x4x4x3xf32>, tensor<1x1x1x3xf32>, tensor<1xi8>) -> tensor<1x4x4x3xf32>
    %102 = "tosa.const"() <{values = dense<[[[[1.0, 1.0, 1.0]]]]> : tensor<1x1x1x3xf32>}> : () -> tensor<1x1x1x3xf32>
    %103 = "tosa.add"(%101, %102) : (tensor<1x4x4x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x4x4x3xf32>
    return %103 : tensor<1x4x4x3xf32>
  }
}
