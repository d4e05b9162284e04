// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x4xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[[[-3, -2, -1, 0], [1, 2, 3, -3]], [[-2, -1, 0, 1], [2, 3, -3, -2]]]]> : tensor<1x2x2x4xi8>}> : () -> tensor<1x2x2x4x!quant.uniform<i8:f32:3, {0.009999999776482582:0, 0.013333333656191826:0, 0.01666666753590107:0, 0.019999999552965164:0}>>
    %2 = "tfl.pseudo_const"() <{values = dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %3 = "tfl.depthwise_conv_2d"(%arg0, %1, %2) <{padding = "SAME", stride_w = 1 : i64, stride_h = 1 : i64, depth_multiplier = 2 : i64, fused_activation_function = "NONE", dilation_w_factor = 1 : i64, dilation_h_factor = 1 : i64}> : (tensor<1x4x4x2xf32>, tensor<1x2x2x4x!quant.uniform<i8:f32:3, {0.009999999776482582:0, 0.013333333656191826:0, 0.01666666753590107:0, 0.019999999552965164:0}>>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
    return %3 : tensor<1x4x4x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x4xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 1, 0, 1, 0, 0]> : tensor<8xindex>}> : () -> !tosa.shape<8>
    %2 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x5x5x2xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 1, 1, 50]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x5x5x2xf32>, !tosa.shape<4>) -> tensor<1x1x1x50xf32>
    %6 = "tosa.const"() <{values = dense<[[[[0.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %7 = "tosa.reduce_min"(%5) <{axis = 3 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x50xf32>) -> tensor<1x1x1x1xf32>
    %8 = "tosa.minimum"(%7, %6) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %9 = "tosa.sub"(%6, %8) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %10 = "tosa.reduce_max"(%5) <{axis = 3 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x50xf32>) -> tensor<1x1x1x1xf32>
    %11 = "tosa.maximum"(%10, %6) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %12 = "tosa.add"(%9, %11) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %13 = "tosa.const"() <{values = dense<[[[[1.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %14 = "tosa.greater"(%12, %13) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xi1>
    %15 = "tosa.const"() <{values = dense<[[[[5.421010862427522e-20]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %16 = "tosa.const"() <{values = dense<[[[[1.8446744073709552e+19]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %17 = "tosa.select"(%14, %15, %16) : (tensor<1x1x1x1xi1>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %18 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %19 = "tosa.mul"(%9, %17, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %20 = "tosa.mul"(%11, %17, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %21 = "tosa.add"(%19, %20) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %22 = "tosa.const"() <{values = dense<[[[[0.003921568859368563]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %23 = "tosa.mul"(%21, %22, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %24 = "tosa.const"() <{values = dense<[[[[256.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %25 = "tosa.mul"(%23, %24, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %26 = "tosa.sub"(%21, %25) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %27 = "tosa.add"(%26, %23) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %28 = "tosa.minimum"(%19, %20) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %29 = "tosa.maximum"(%19, %20) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %30 = "tosa.sub"(%21, %29) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %31 = "tosa.sub"(%28, %30) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %32 = "tosa.add"(%27, %31) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %33 = "tosa.mul"(%32, %22, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %34 = "tosa.add"(%23, %33) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %35 = "tosa.reciprocal"(%34) : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %36 = "tosa.mul"(%35, %13, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %37 = "tosa.mul"(%36, %34, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %38 = "tosa.sub"(%13, %37) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %39 = "tosa.const"() <{values = dense<[[[[4097.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %40 = "tosa.mul"(%36, %39, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %41 = "tosa.sub"(%40, %36) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %42 = "tosa.sub"(%40, %41) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %43 = "tosa.mul"(%34, %39, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %44 = "tosa.sub"(%43, %34) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %45 = "tosa.sub"(%43, %44) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %46 = "tosa.mul"(%42, %45, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %47 = "tosa.sub"(%46, %37) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %48 = "tosa.sub"(%34, %45) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %49 = "tosa.mul"(%42, %48, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %50 = "tosa.add"(%47, %49) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %51 = "tosa.sub"(%36, %42) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %52 = "tosa.mul"(%51, %45, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %53 = "tosa.add"(%50, %52) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %54 = "tosa.mul"(%51, %48, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %55 = "tosa.add"(%53, %54) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %56 = "tosa.sub"(%38, %55) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %57 = "tosa.const"() <{values = dense<[[[[0.9999999403953552]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %58 = "tosa.mul"(%35, %57, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %59 = "tosa.mul"(%56, %58, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %60 = "tosa.add"(%36, %59) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %61 = "tosa.mul"(%60, %17, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %62 = "tosa.mul"(%5, %61, %18) : (tensor<1x1x1x50xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x50xf32>
    %63 = "tosa.const"() <{values = dense<[[[[0.4999999701976776]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %64 = "tosa.add"(%62, %63) : (tensor<1x1x1x50xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x50xf32>
    %65 = "tosa.floor"(%64) : (tensor<1x1x1x50xf32>) -> tensor<1x1x1x50xf32>
    %66 = "tosa.clamp"(%65) <{min_val = 0x00000000 : f32, max_val = 0x437F0000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x1x1x50xf32>) -> tensor<1x1x1x50xf32>
    %67 = "tosa.sub"(%62, %63) : (tensor<1x1x1x50xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x50xf32>
    %68 = "tosa.ceil"(%67) : (tensor<1x1x1x50xf32>) -> tensor<1x1x1x50xf32>
    %69 = "tosa.clamp"(%68) <{min_val = 0xC37F0000 : f32, max_val = 0x00000000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x1x1x50xf32>) -> tensor<1x1x1x50xf32>
    %70 = "tosa.add"(%66, %69) : (tensor<1x1x1x50xf32>, tensor<1x1x1x50xf32>) -> tensor<1x1x1x50xf32>
    %71 = "tosa.mul"(%34, %24, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %72 = "tosa.sub"(%21, %71) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %73 = "tosa.add"(%72, %34) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %74 = "tosa.const"() <{values = dense<[[[[0.125490203499794]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %75 = "tosa.mul"(%73, %74, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %76 = "tosa.const"() <{values = dense<[[[[5.966285243630409e-08]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %77 = "tosa.mul"(%34, %76, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %78 = "tosa.add"(%34, %77) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %79 = "tosa.sub"(%78, %34) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %80 = "tosa.const"() <{values = dense<[[[[12582912.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %81 = "tosa.mul"(%79, %80, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %82 = "tosa.add"(%75, %81) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %83 = "tosa.sub"(%82, %81) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %84 = "tosa.sub"(%83, %75) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %85 = "tosa.const"() <{values = dense<[[[[2.991919600958681e-08]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %86 = "tosa.mul"(%34, %85, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %87 = "tosa.greater"(%84, %86) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xi1>
    %88 = "tosa.equal"(%19, %20) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xi1>
    %89 = "tosa.logical_and"(%87, %88) : (tensor<1x1x1x1xi1>, tensor<1x1x1x1xi1>) -> tensor<1x1x1x1xi1>
    %90 = "tosa.reciprocal"(%21) : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %91 = "tosa.mul"(%19, %90, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %92 = "tosa.const"() <{values = dense<[[[[255.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %93 = "tosa.mul"(%91, %92, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %94 = "tosa.floor"(%93) : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %95 = "tosa.clamp"(%94) <{min_val = 0x00000000 : f32, max_val = 0x437F0000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %96 = "tosa.const"() <{values = dense<[[[[127.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %97 = "tosa.greater"(%95, %96) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xi1>
    %98 = "tosa.const"() <{values = dense<[[[[510.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %99 = "tosa.add"(%95, %95) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %100 = "tosa.add"(%99, %13) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %101 = "tosa.sub"(%98, %100) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %102 = "tosa.mul"(%19, %39, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %103 = "tosa.sub"(%102, %19) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %104 = "tosa.sub"(%102, %103) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %105 = "tosa.mul"(%101, %104, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %106 = "tosa.mul"(%20, %39, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %107 = "tosa.sub"(%106, %20) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %108 = "tosa.sub"(%106, %107) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %109 = "tosa.mul"(%100, %108, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %110 = "tosa.sub"(%105, %109) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %111 = "tosa.sub"(%19, %104) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %112 = "tosa.mul"(%101, %111, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %113 = "tosa.sub"(%20, %108) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %114 = "tosa.mul"(%100, %113, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %115 = "tosa.sub"(%112, %114) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %116 = "tosa.add"(%110, %115) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %117 = "tosa.greater_equal"(%116, %6) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xi1>
    %118 = "tosa.greater"(%116, %6) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xi1>
    %119 = "tosa.select"(%97, %117, %118) : (tensor<1x1x1x1xi1>, tensor<1x1x1x1xi1>, tensor<1x1x1x1xi1>) -> tensor<1x1x1x1xi1>
    %120 = "tosa.const"() <{values = dense<[[[[-127.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %121 = "tosa.const"() <{values = dense<[[[[-128.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %122 = "tosa.select"(%119, %120, %121) : (tensor<1x1x1x1xi1>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %123 = "tosa.add"(%95, %122) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %124 = "tosa.select"(%89, %6, %123) : (tensor<1x1x1x1xi1>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %125 = "tosa.add"(%70, %124) : (tensor<1x1x1x50xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x50xf32>
    %126 = "tosa.clamp"(%125) <{min_val = 0xC3000000 : f32, max_val = 0x42FE0000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x50xf32>) -> tensor<1x1x1x50xf32>
    %127 = "tosa.const_shape"() <{values = dense<[1, 5, 5, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %128 = "tosa.reshape"(%126, %127) : (tensor<1x1x1x50xf32>, !tosa.shape<4>) -> tensor<1x5x5x2xf32>
    %129 = "tosa.cast"(%128) : (tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xi8>
    %130 = "tosa.const"() <{values = dense<[[[[-3, -2], [-1, 0]], [[1, 2], [3, -3]]], [[[-2, -1], [0, 1]], [[2, 3], [-3, -2]]]]> : tensor<2x2x2x2xi8>}> : () -> tensor<2x2x2x2xi8>
    %131 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %132 = "tosa.depthwise_conv2d"(%129, %130, %131, %18, %18) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x5x5x2xi8>, tensor<2x2x2x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x4xi32>
    %133 = "tosa.cast"(%124) : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xi32>
    %134 = "tosa.const"() <{values = dense<[[[[-2, 2, -1, -4]]]]> : tensor<1x1x1x4xi32>}> : () -> tensor<1x1x1x4xi32>
    %135 = "tosa.mul"(%133, %134, %18) : (tensor<1x1x1x1xi32>, tensor<1x1x1x4xi32>, tensor<1xi8>) -> tensor<1x1x1x4xi32>
    %136 = "tosa.sub"(%132, %135) : (tensor<1x4x4x4xi32>, tensor<1x1x1x4xi32>) -> tensor<1x4x4x4xi32>
    %137 = "tosa.cast"(%136) : (tensor<1x4x4x4xi32>) -> tensor<1x4x4x4xf32>
    %138 = "tosa.const"() <{values = dense<[[[[0.009999999776482582, 0.013333333656191826, 0.01666666753590107, 0.019999999552965164]]]]> : tensor<1x1x1x4xf32>}> : () -> tensor<1x1x1x4xf32>
    %139 = "tosa.select"(%14, %16, %15) : (tensor<1x1x1x1xi1>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %140 = "tosa.mul"(%34, %139, %18) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %141 = "tosa.mul"(%138, %140, %18) : (tensor<1x1x1x4xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x4xf32>
    %142 = "tosa.mul"(%137, %141, %18) : (tensor<1x4x4x4xf32>, tensor<1x1x1x4xf32>, tensor<1xi8>) -> tensor<1x4x4x4xf32>
    %143 = "tosa.const"() <{values = dense<[[[[1.0, 1.0, 1.0, 1.0]]]]> : tensor<1x1x1x4xf32>}> : () -> tensor<1x1x1x4xf32>
    %144 = "tosa.add"(%142, %143) : (tensor<1x4x4x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    return %144 : tensor<1x4x4x4xf32>
  }
}
