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
    %1 = "tosa.const_shape"() <{values = dense<[2, 1, 1, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x8xf32>, !tosa.shape<4>) -> tensor<2x1x1x8xf32>
    %3 = "tosa.abs"(%2) : (tensor<2x1x1x8xf32>) -> tensor<2x1x1x8xf32>
    %4 = "tosa.reduce_max"(%3) <{axis = 3 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1x1x8xf32>) -> tensor<2x1x1x1xf32>
    %5 = "tosa.const"() <{values = dense<[[[[1.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %6 = "tosa.greater"(%4, %5) : (tensor<2x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<2x1x1x1xi1>
    %7 = "tosa.const"() <{values = dense<[[[[5.421010862427522e-20]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %8 = "tosa.const"() <{values = dense<[[[[1.8446744073709552e+19]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %9 = "tosa.select"(%6, %7, %8) : (tensor<2x1x1x1xi1>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %10 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %11 = "tosa.mul"(%4, %9, %10) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %12 = "tosa.reciprocal"(%11) : (tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %13 = "tosa.const"() <{values = dense<[[[[127.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %14 = "tosa.mul"(%12, %13, %10) : (tensor<2x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %15 = "tosa.mul"(%14, %11, %10) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %16 = "tosa.sub"(%13, %15) : (tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %17 = "tosa.const"() <{values = dense<[[[[4097.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %18 = "tosa.mul"(%14, %17, %10) : (tensor<2x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %19 = "tosa.sub"(%18, %14) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %20 = "tosa.sub"(%18, %19) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %21 = "tosa.mul"(%11, %17, %10) : (tensor<2x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %22 = "tosa.sub"(%21, %11) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %23 = "tosa.sub"(%21, %22) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %24 = "tosa.mul"(%20, %23, %10) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %25 = "tosa.sub"(%24, %15) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %26 = "tosa.sub"(%11, %23) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %27 = "tosa.mul"(%20, %26, %10) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %28 = "tosa.add"(%25, %27) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %29 = "tosa.sub"(%14, %20) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %30 = "tosa.mul"(%29, %23, %10) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %31 = "tosa.add"(%28, %30) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %32 = "tosa.mul"(%29, %26, %10) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %33 = "tosa.add"(%31, %32) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %34 = "tosa.sub"(%16, %33) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %35 = "tosa.const"() <{values = dense<[[[[0.9999999403953552]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %36 = "tosa.mul"(%12, %35, %10) : (tensor<2x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %37 = "tosa.mul"(%34, %36, %10) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %38 = "tosa.add"(%14, %37) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %39 = "tosa.mul"(%38, %9, %10) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %40 = "tosa.mul"(%2, %39, %10) : (tensor<2x1x1x8xf32>, tensor<2x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x8xf32>
    %41 = "tosa.const"() <{values = dense<[[[[0.4999999701976776]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %42 = "tosa.add"(%40, %41) : (tensor<2x1x1x8xf32>, tensor<1x1x1x1xf32>) -> tensor<2x1x1x8xf32>
    %43 = "tosa.floor"(%42) : (tensor<2x1x1x8xf32>) -> tensor<2x1x1x8xf32>
    %44 = "tosa.clamp"(%43) <{min_val = 0x00000000 : f32, max_val = 0x42FE0000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x1x1x8xf32>) -> tensor<2x1x1x8xf32>
    %45 = "tosa.sub"(%40, %41) : (tensor<2x1x1x8xf32>, tensor<1x1x1x1xf32>) -> tensor<2x1x1x8xf32>
    %46 = "tosa.ceil"(%45) : (tensor<2x1x1x8xf32>) -> tensor<2x1x1x8xf32>
    %47 = "tosa.clamp"(%46) <{min_val = 0xC2FE0000 : f32, max_val = 0x00000000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x1x1x8xf32>) -> tensor<2x1x1x8xf32>
    %48 = "tosa.add"(%44, %47) : (tensor<2x1x1x8xf32>, tensor<2x1x1x8xf32>) -> tensor<2x1x1x8xf32>
    %49 = "tosa.cast"(%48) : (tensor<2x1x1x8xf32>) -> tensor<2x1x1x8xi8>
    %50 = "tosa.const"() <{values = dense<sha256 42804216e942e82a> : tensor<3x1x1x8xi8>}> : () -> tensor<3x1x1x8xi8>
    %51 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %52 = "tosa.conv2d"(%49, %50, %51, %10, %10) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<2x1x1x8xi8>, tensor<3x1x1x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x1x1x3xi32>
    %53 = "tosa.cast"(%52) : (tensor<2x1x1x3xi32>) -> tensor<2x1x1x3xf32>
    %54 = "tosa.const"() <{values = dense<[[[[0.009999999776482582, 0.014999999664723873, 0.019999999552965164]]]]> : tensor<1x1x1x3xf32>}> : () -> tensor<1x1x1x3xf32>
    %55 = "tosa.const"() <{values = dense<[[[[0.007874015718698502]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %56 = "tosa.mul"(%4, %55, %10) : (tensor<2x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %57 = "tosa.const"() <{values = dense<[[[[128.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %58 = "tosa.mul"(%56, %57, %10) : (tensor<2x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %59 = "tosa.sub"(%4, %58) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %60 = "tosa.add"(%59, %56) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %61 = "tosa.mul"(%60, %55, %10) : (tensor<2x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x1xf32>
    %62 = "tosa.add"(%56, %61) : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %63 = "tosa.mul"(%54, %62, %10) : (tensor<1x1x1x3xf32>, tensor<2x1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1x3xf32>
    %64 = "tosa.mul"(%53, %63, %10) : (tensor<2x1x1x3xf32>, tensor<2x1x1x3xf32>, tensor<1xi8>) -> tensor<2x1x1x3xf32>
    %65 = "tosa.const"() <{values = dense<[[[[1.0, 1.0, 1.0]]]]> : tensor<1x1x1x3xf32>}> : () -> tensor<1x1x1x3xf32>
    %66 = "tosa.add"(%64, %65) : (tensor<2x1x1x3xf32>, tensor<1x1x1x3xf32>) -> tensor<2x1x1x3xf32>
    %67 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %68 = "tosa.reshape"(%66, %67) : (tensor<2x1x1x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
    return %68 : tensor<2x3xf32>
  }
}
