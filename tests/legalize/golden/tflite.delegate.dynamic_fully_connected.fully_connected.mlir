// before
module {
  func.func @"main"(%arg0: tensor<2x8xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<sha256 42804216e942e82a> : tensor<3x8xi4>}> : () -> tensor<3x8x!quant.uniform<i4:f32:0, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>>
    %2 = "tfl.pseudo_const"() <{values = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %3 = "tfl.fully_connected"(%arg0, %1, %2) <{fused_activation_function = "NONE", weights_format = "DEFAULT", keep_num_dims = false, asymmetric_quantize_inputs = false, quantized_bias_type = "FLOAT32", quant_spec = array<i64: >}> : (tensor<2x8xf32>, tensor<3x8x!quant.uniform<i4:f32:0, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>>, tensor<3xf32>) -> tensor<2x3xf32>
    return %3 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x8xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const"() <{values = dense<[[6.162975822039155e-33]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %2 = "tosa.reduce_max"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x8xf32>) -> tensor<2x1xf32>
    %3 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %4 = "tosa.maximum"(%2, %3) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %5 = "tosa.reduce_min"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x8xf32>) -> tensor<2x1xf32>
    %6 = "tosa.minimum"(%5, %3) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %7 = "tosa.sub"(%4, %6) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %8 = "tosa.greater"(%1, %7) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xi1>
    %9 = "tosa.const"() <{values = dense<[[1.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %10 = "tosa.reciprocal"(%7) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %11 = "tosa.const"() <{values = dense<[[255.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %12 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %13 = "tosa.mul"(%10, %11, %12) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %14 = "tosa.mul"(%13, %7, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %15 = "tosa.sub"(%11, %14) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %16 = "tosa.const"() <{values = dense<[[4097.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %17 = "tosa.mul"(%13, %16, %12) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %18 = "tosa.sub"(%17, %13) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %19 = "tosa.sub"(%17, %18) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %20 = "tosa.mul"(%7, %16, %12) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %21 = "tosa.sub"(%20, %7) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %22 = "tosa.sub"(%20, %21) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %23 = "tosa.mul"(%19, %22, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %24 = "tosa.sub"(%23, %14) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %25 = "tosa.sub"(%7, %22) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %26 = "tosa.mul"(%19, %25, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %27 = "tosa.add"(%24, %26) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %28 = "tosa.sub"(%13, %19) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %29 = "tosa.mul"(%28, %22, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %30 = "tosa.add"(%27, %29) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %31 = "tosa.mul"(%28, %25, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %32 = "tosa.add"(%30, %31) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %33 = "tosa.sub"(%15, %32) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %34 = "tosa.const"() <{values = dense<[[0.9999999403953552]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %35 = "tosa.mul"(%10, %34, %12) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %36 = "tosa.mul"(%33, %35, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %37 = "tosa.add"(%13, %36) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %38 = "tosa.select"(%8, %9, %37) : (tensor<2x1xi1>, tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %39 = "tosa.mul"(%arg0, %38, %12) : (tensor<2x8xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x8xf32>
    %40 = "tosa.cast"(%39) : (tensor<2x8xf32>) -> tensor<2x8xi32>
    %41 = "tosa.const"() <{values = dense<[[-128.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %42 = "tosa.mul"(%6, %38, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %43 = "tosa.add"(%41, %42) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %44 = "tosa.const"() <{values = dense<[[127.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %45 = "tosa.mul"(%4, %38, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %46 = "tosa.add"(%44, %45) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %47 = "tosa.add"(%43, %46) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %48 = "tosa.greater"(%47, %3) : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xi1>
    %49 = "tosa.sub"(%41, %42) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %50 = "tosa.sub"(%44, %45) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %51 = "tosa.select"(%48, %49, %50) : (tensor<2x1xi1>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %52 = "tosa.clamp"(%51) <{min_val = 0xC3000000 : f32, max_val = 0x42FE0000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %53 = "tosa.cast"(%52) : (tensor<2x1xf32>) -> tensor<2x1xi32>
    %54 = "tosa.add"(%40, %53) : (tensor<2x8xi32>, tensor<2x1xi32>) -> tensor<2x8xi32>
    %55 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %56 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %57 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %58 = "tosa.rescale"(%54, %55, %56, %57, %12) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x8xi8>
    %59 = "tosa.const_shape"() <{values = dense<[2, 1, 1, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %60 = "tosa.reshape"(%58, %59) : (tensor<2x8xi8>, !tosa.shape<4>) -> tensor<2x1x1x8xi8>
    %61 = "tosa.const"() <{values = dense<sha256 42804216e942e82a> : tensor<3x1x1x8xi8>}> : () -> tensor<3x1x1x8xi8>
    %62 = "tosa.conv2d"(%60, %61, %57, %12, %12) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<2x1x1x8xi8>, tensor<3x1x1x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x1x1x3xi32>
    %63 = "tosa.const_shape"() <{values = dense<[2, 1, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %64 = "tosa.reshape"(%53, %63) : (tensor<2x1xi32>, !tosa.shape<4>) -> tensor<2x1x1x1xi32>
    %65 = "tosa.const"() <{values = dense<[[[[-3, -2, -1]]]]> : tensor<1x1x1x3xi32>}> : () -> tensor<1x1x1x3xi32>
    %66 = "tosa.mul"(%64, %65, %12) : (tensor<2x1x1x1xi32>, tensor<1x1x1x3xi32>, tensor<1xi8>) -> tensor<2x1x1x3xi32>
    %67 = "tosa.sub"(%62, %66) : (tensor<2x1x1x3xi32>, tensor<2x1x1x3xi32>) -> tensor<2x1x1x3xi32>
    %68 = "tosa.cast"(%67) : (tensor<2x1x1x3xi32>) -> tensor<2x1x1x3xf32>
    %69 = "tosa.reciprocal"(%38) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %70 = "tosa.mul"(%69, %9, %12) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %71 = "tosa.mul"(%70, %38, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %72 = "tosa.sub"(%9, %71) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %73 = "tosa.mul"(%70, %16, %12) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %74 = "tosa.sub"(%73, %70) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %75 = "tosa.sub"(%73, %74) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %76 = "tosa.mul"(%38, %16, %12) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %77 = "tosa.sub"(%76, %38) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %78 = "tosa.sub"(%76, %77) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %79 = "tosa.mul"(%75, %78, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %80 = "tosa.sub"(%79, %71) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %81 = "tosa.sub"(%38, %78) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %82 = "tosa.mul"(%75, %81, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %83 = "tosa.add"(%80, %82) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %84 = "tosa.sub"(%70, %75) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %85 = "tosa.mul"(%84, %78, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %86 = "tosa.add"(%83, %85) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %87 = "tosa.mul"(%84, %81, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %88 = "tosa.add"(%86, %87) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %89 = "tosa.sub"(%72, %88) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %90 = "tosa.mul"(%69, %34, %12) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %91 = "tosa.mul"(%89, %90, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %92 = "tosa.add"(%70, %91) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %93 = "tosa.reshape"(%92, %63) : (tensor<2x1xf32>, !tosa.shape<4>) -> tensor<2x1x1x1xf32>
    %94 = "tosa.mul"(%68, %93, %12) : (tensor<2x1x1x3xf32>, tensor<2x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x3xf32>
    %95 = "tosa.const"() <{values = dense<[[[[0.009999999776482582, 0.014999999664723873, 0.019999999552965164]]]]> : tensor<1x1x1x3xf32>}> : () -> tensor<1x1x1x3xf32>
    %96 = "tosa.mul"(%94, %95, %12) : (tensor<2x1x1x3xf32>, tensor<1x1x1x3xf32>, tensor<1xi8>) -> tensor<2x1x1x3xf32>
    %97 = "tosa.const"() <{values = dense<[[[[1.0, 1.0, 1.0]]]]> : tensor<1x1x1x3xf32>}> : () -> tensor<1x1x1x3xf32>
    %98 = "tosa.add"(%96, %97) : (tensor<2x1x1x3xf32>, tensor<1x1x1x3xf32>) -> tensor<2x1x1x3xf32>
    %99 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %100 = "tosa.reshape"(%98, %99) : (tensor<2x1x1x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
    return %100 : tensor<2x3xf32>
  }
}
