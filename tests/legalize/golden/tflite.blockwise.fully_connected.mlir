// before
module {
  func.func @"main"(%arg0: tensor<2x64xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<sha256 9113e3b68678360f> : tensor<3x64xi4>}> : () -> tensor<3x64x!quant.uniform<i4:f32:{0:1, 1:32}, {0.125:0, 0.125:0, 0.125:0, 0.125:0, 0.125:0, 0.125:0}>>
    %2 = "tfl.pseudo_const"() <{values = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %3 = "tfl.fully_connected"(%arg0, %1, %2) <{fused_activation_function = "NONE", weights_format = "DEFAULT", keep_num_dims = false, asymmetric_quantize_inputs = false, quantized_bias_type = "FLOAT32", quant_spec = array<i64: >}> : (tensor<2x64xf32>, tensor<3x64x!quant.uniform<i4:f32:{0:1, 1:32}, {0.125:0, 0.125:0, 0.125:0, 0.125:0, 0.125:0, 0.125:0}>>, tensor<3xf32>) -> tensor<2x3xf32>
    return %3 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x64xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const"() <{values = dense<[[6.162975822039155e-33]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %2 = "tosa.reduce_max"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x64xf32>) -> tensor<2x1xf32>
    %3 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %4 = "tosa.maximum"(%2, %3) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %5 = "tosa.reduce_min"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x64xf32>) -> tensor<2x1xf32>
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
    %39 = "tosa.mul"(%arg0, %38, %12) : (tensor<2x64xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x64xf32>
    %40 = "tosa.cast"(%39) : (tensor<2x64xf32>) -> tensor<2x64xi32>
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
    %54 = "tosa.add"(%40, %53) : (tensor<2x64xi32>, tensor<2x1xi32>) -> tensor<2x64xi32>
    %55 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %56 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %57 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %58 = "tosa.rescale"(%54, %55, %56, %57, %12) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x64xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x64xi8>
    %59 = "tosa.const_shape"() <{values = dense<[2, 2, 32]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %60 = "tosa.reshape"(%58, %59) : (tensor<2x64xi8>, !tosa.shape<3>) -> tensor<2x2x32xi8>
    %61 = "tosa.transpose"(%60) <{perms = array<i32: 1, 0, 2>}> : (tensor<2x2x32xi8>) -> tensor<2x2x32xi8>
    %62 = "tosa.const"() <{values = dense<sha256 ebacc1d6797284bd> : tensor<2x32x3xi8>}> : () -> tensor<2x32x3xi8>
    %63 = "tosa.matmul"(%61, %62, %12, %12) : (tensor<2x2x32xi8>, tensor<2x32x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x2x3xi32>
    %64 = "tosa.const_shape"() <{values = dense<[1, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %65 = "tosa.reshape"(%53, %64) : (tensor<2x1xi32>, !tosa.shape<3>) -> tensor<1x2x1xi32>
    %66 = "tosa.const"() <{values = dense<[[[-13, -5, 3]], [[-9, -1, 7]]]> : tensor<2x1x3xi32>}> : () -> tensor<2x1x3xi32>
    %67 = "tosa.mul"(%65, %66, %12) : (tensor<1x2x1xi32>, tensor<2x1x3xi32>, tensor<1xi8>) -> tensor<2x2x3xi32>
    %68 = "tosa.sub"(%63, %67) : (tensor<2x2x3xi32>, tensor<2x2x3xi32>) -> tensor<2x2x3xi32>
    %69 = "tosa.cast"(%68) : (tensor<2x2x3xi32>) -> tensor<2x2x3xf32>
    %70 = "tosa.const"() <{values = dense<[[[0.125, 0.125, 0.125]], [[0.125, 0.125, 0.125]]]> : tensor<2x1x3xf32>}> : () -> tensor<2x1x3xf32>
    %71 = "tosa.mul"(%69, %70, %12) : (tensor<2x2x3xf32>, tensor<2x1x3xf32>, tensor<1xi8>) -> tensor<2x2x3xf32>
    %72 = "tosa.reduce_sum"(%71) <{axis = 0 : i32}> : (tensor<2x2x3xf32>) -> tensor<1x2x3xf32>
    %73 = "tosa.reciprocal"(%38) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %74 = "tosa.mul"(%73, %9, %12) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %75 = "tosa.mul"(%74, %38, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %76 = "tosa.sub"(%9, %75) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %77 = "tosa.mul"(%74, %16, %12) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %78 = "tosa.sub"(%77, %74) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %79 = "tosa.sub"(%77, %78) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %80 = "tosa.mul"(%38, %16, %12) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %81 = "tosa.sub"(%80, %38) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %82 = "tosa.sub"(%80, %81) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %83 = "tosa.mul"(%79, %82, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %84 = "tosa.sub"(%83, %75) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %85 = "tosa.sub"(%38, %82) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %86 = "tosa.mul"(%79, %85, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %87 = "tosa.add"(%84, %86) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %88 = "tosa.sub"(%74, %79) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %89 = "tosa.mul"(%88, %82, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %90 = "tosa.add"(%87, %89) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %91 = "tosa.mul"(%88, %85, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %92 = "tosa.add"(%90, %91) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %93 = "tosa.sub"(%76, %92) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %94 = "tosa.mul"(%73, %34, %12) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %95 = "tosa.mul"(%93, %94, %12) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %96 = "tosa.add"(%74, %95) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %97 = "tosa.reshape"(%96, %64) : (tensor<2x1xf32>, !tosa.shape<3>) -> tensor<1x2x1xf32>
    %98 = "tosa.mul"(%72, %97, %12) : (tensor<1x2x3xf32>, tensor<1x2x1xf32>, tensor<1xi8>) -> tensor<1x2x3xf32>
    %99 = "tosa.const"() <{values = dense<[[[1.0, 1.0, 1.0]]]> : tensor<1x1x3xf32>}> : () -> tensor<1x1x3xf32>
    %100 = "tosa.add"(%98, %99) : (tensor<1x2x3xf32>, tensor<1x1x3xf32>) -> tensor<1x2x3xf32>
    %101 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %102 = "tosa.reshape"(%100, %101) : (tensor<1x2x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
    return %102 : tensor<2x3xf32>
  }
}
