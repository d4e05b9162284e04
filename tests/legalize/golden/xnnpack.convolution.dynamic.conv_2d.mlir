// before
module {
  func.func @"main"(%arg0: tensor<2x6x5x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<2x3x5x6xf32> {tosa.tensor_name = "v4"}) {
    %1 = "xnn.convert"(%arg0) <{flags = 0 : i64}> : (tensor<2x6x5x4xf32>) -> tensor<2x6x5x4x!quant.any<i8:f32>>
    %2 = "xnn.const"() <{values = dense<sha256 a619054f533e30bc> : tensor<6x3x2x4xi8>}> : () -> tensor<6x3x2x4x!quant.uniform<i8:f32:0, {0.00804166030138731:0, 0.005052321124821901:0, 0.01082164142280817:0, 0.01829991303384304:0, 0.017965296283364296:0, 0.017019612714648247:0}>>
    %3 = "xnn.const"() <{values = dense<[0.3954232931137085, 0.4052819609642029, 0.5701423287391663, 0.20064857602119446, 1.445883870124817, 0.8892487287521362]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %4 = "xnn.conv_2d"(%1, %2, %3) <{padding_top = 1 : i64, padding_right = 0 : i64, padding_bottom = 0 : i64, padding_left = 1 : i64, kernel_height = 3 : i64, kernel_width = 2 : i64, subsampling_height = 2 : i64, subsampling_width = 1 : i64, dilation_height = 1 : i64, dilation_width = 1 : i64, group_input_channels = 4 : i64, group_output_channels = 6 : i64, groups = 1 : i64, adjustment_height = 0 : i64, adjustment_width = 0 : i64, flags = 0 : i64}> : (tensor<2x6x5x4x!quant.any<i8:f32>>, tensor<6x3x2x4x!quant.uniform<i8:f32:0, {0.00804166030138731:0, 0.005052321124821901:0, 0.01082164142280817:0, 0.01829991303384304:0, 0.017965296283364296:0, 0.017019612714648247:0}>>, tensor<6xf32>) -> tensor<2x3x5x6xf32>
    return %4 : tensor<2x3x5x6xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x6x5x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<2x3x5x6xf32> {tosa.tensor_name = "v4"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 0, 1, 0, 0, 0]> : tensor<8xindex>}> : () -> !tosa.shape<8>
    %2 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = "tosa.pad"(%arg0, %1, %2) : (tensor<2x6x5x4xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<2x7x6x4xf32>
    %4 = "tosa.const_shape"() <{values = dense<[2, 168]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %5 = "tosa.reshape"(%3, %4) : (tensor<2x7x6x4xf32>, !tosa.shape<2>) -> tensor<2x168xf32>
    %6 = "tosa.const"() <{values = dense<[[6.162975822039155e-33]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %7 = "tosa.reduce_max"(%5) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x168xf32>) -> tensor<2x1xf32>
    %8 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %9 = "tosa.maximum"(%7, %8) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %10 = "tosa.reduce_min"(%5) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x168xf32>) -> tensor<2x1xf32>
    %11 = "tosa.minimum"(%10, %8) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %12 = "tosa.sub"(%9, %11) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %13 = "tosa.greater"(%6, %12) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xi1>
    %14 = "tosa.const"() <{values = dense<[[1.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %15 = "tosa.reciprocal"(%12) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %16 = "tosa.const"() <{values = dense<[[255.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %17 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %18 = "tosa.mul"(%15, %16, %17) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %19 = "tosa.mul"(%18, %12, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %20 = "tosa.sub"(%16, %19) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %21 = "tosa.const"() <{values = dense<[[4097.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %22 = "tosa.mul"(%18, %21, %17) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %23 = "tosa.sub"(%22, %18) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %24 = "tosa.sub"(%22, %23) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %25 = "tosa.mul"(%12, %21, %17) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %26 = "tosa.sub"(%25, %12) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %27 = "tosa.sub"(%25, %26) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %28 = "tosa.mul"(%24, %27, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %29 = "tosa.sub"(%28, %19) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %30 = "tosa.sub"(%12, %27) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %31 = "tosa.mul"(%24, %30, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %32 = "tosa.add"(%29, %31) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %33 = "tosa.sub"(%18, %24) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %34 = "tosa.mul"(%33, %27, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %35 = "tosa.add"(%32, %34) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %36 = "tosa.mul"(%33, %30, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %37 = "tosa.add"(%35, %36) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %38 = "tosa.sub"(%20, %37) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %39 = "tosa.const"() <{values = dense<[[0.9999999403953552]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %40 = "tosa.mul"(%15, %39, %17) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %41 = "tosa.mul"(%38, %40, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %42 = "tosa.add"(%18, %41) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %43 = "tosa.select"(%13, %14, %42) : (tensor<2x1xi1>, tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %44 = "tosa.mul"(%5, %43, %17) : (tensor<2x168xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x168xf32>
    %45 = "tosa.cast"(%44) : (tensor<2x168xf32>) -> tensor<2x168xi32>
    %46 = "tosa.const"() <{values = dense<[[-128.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %47 = "tosa.mul"(%11, %43, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %48 = "tosa.add"(%46, %47) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %49 = "tosa.const"() <{values = dense<[[127.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %50 = "tosa.mul"(%9, %43, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %51 = "tosa.add"(%49, %50) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %52 = "tosa.add"(%48, %51) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %53 = "tosa.greater"(%52, %8) : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xi1>
    %54 = "tosa.sub"(%46, %47) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %55 = "tosa.sub"(%49, %50) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %56 = "tosa.select"(%53, %54, %55) : (tensor<2x1xi1>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %57 = "tosa.clamp"(%56) <{min_val = 0xC3000000 : f32, max_val = 0x42FE0000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %58 = "tosa.cast"(%57) : (tensor<2x1xf32>) -> tensor<2x1xi32>
    %59 = "tosa.add"(%45, %58) : (tensor<2x168xi32>, tensor<2x1xi32>) -> tensor<2x168xi32>
    %60 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %61 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %62 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %63 = "tosa.rescale"(%59, %60, %61, %62, %17) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x168xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x168xi8>
    %64 = "tosa.const_shape"() <{values = dense<[2, 7, 6, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %65 = "tosa.reshape"(%63, %64) : (tensor<2x168xi8>, !tosa.shape<4>) -> tensor<2x7x6x4xi8>
    %66 = "tosa.const"() <{values = dense<sha256 a619054f533e30bc> : tensor<6x3x2x4xi8>}> : () -> tensor<6x3x2x4xi8>
    %67 = "tosa.conv2d"(%65, %66, %62, %17, %17) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<2x7x6x4xi8>, tensor<6x3x2x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x5x6xi32>
    %68 = "tosa.const_shape"() <{values = dense<[2, 1, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %69 = "tosa.reshape"(%58, %68) : (tensor<2x1xi32>, !tosa.shape<4>) -> tensor<2x1x1x1xi32>
    %70 = "tosa.const"() <{values = dense<[[[[-246, 390, -460, -586, -9, -275]]]]> : tensor<1x1x1x6xi32>}> : () -> tensor<1x1x1x6xi32>
    %71 = "tosa.mul"(%69, %70, %17) : (tensor<2x1x1x1xi32>, tensor<1x1x1x6xi32>, tensor<1xi8>) -> tensor<2x1x1x6xi32>
    %72 = "tosa.sub"(%67, %71) : (tensor<2x3x5x6xi32>, tensor<2x1x1x6xi32>) -> tensor<2x3x5x6xi32>
    %73 = "tosa.cast"(%72) : (tensor<2x3x5x6xi32>) -> tensor<2x3x5x6xf32>
    %74 = "tosa.reciprocal"(%43) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %75 = "tosa.mul"(%74, %14, %17) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %76 = "tosa.mul"(%75, %43, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %77 = "tosa.sub"(%14, %76) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %78 = "tosa.mul"(%75, %21, %17) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %79 = "tosa.sub"(%78, %75) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %80 = "tosa.sub"(%78, %79) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %81 = "tosa.mul"(%43, %21, %17) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %82 = "tosa.sub"(%81, %43) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %83 = "tosa.sub"(%81, %82) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %84 = "tosa.mul"(%80, %83, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %85 = "tosa.sub"(%84, %76) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %86 = "tosa.sub"(%43, %83) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %87 = "tosa.mul"(%80, %86, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %88 = "tosa.add"(%85, %87) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %89 = "tosa.sub"(%75, %80) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %90 = "tosa.mul"(%89, %83, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %91 = "tosa.add"(%88, %90) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %92 = "tosa.mul"(%89, %86, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %93 = "tosa.add"(%91, %92) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %94 = "tosa.sub"(%77, %93) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %95 = "tosa.mul"(%74, %39, %17) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %96 = "tosa.mul"(%94, %95, %17) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %97 = "tosa.add"(%75, %96) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %98 = "tosa.reshape"(%97, %68) : (tensor<2x1xf32>, !tosa.shape<4>) -> tensor<2x1x1x1xf32>
    %99 = "tosa.mul"(%73, %98, %17) : (tensor<2x3x5x6xf32>, tensor<2x1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x5x6xf32>
    %100 = "tosa.const"() <{values = dense<[[[[0.00804166030138731, 0.005052321124821901, 0.01082164142280817, 0.01829991303384304, 0.017965296283364296, 0.017019612714648247]]]]> : tensor<1x1x1x6xf32>}> : () -> tensor<1x1x1x6xf32>
    %101 = "tosa.mul"(%99, %100, %17) : (tensor<2x3x5x6xf32>, tensor<1x1x1x6xf32>, tensor<1xi8>) -> tensor<2x3x5x6xf32>
    %102 = "tosa.const"() <{values = dense<[[[[0.3954232931137085, 0.4052819609642029, 0.5701423287391663, 0.20064857602119446, 1.445883870124817, 0.8892487287521362]]]]> : tensor<1x1x1x6xf32>}> : () -> tensor<1x1x1x6xf32>
    %103 = "tosa.add"(%101, %102) : (tensor<2x3x5x6xf32>, tensor<1x1x1x6xf32>) -> tensor<2x3x5x6xf32>
    return %103 : tensor<2x3x5x6xf32>
  }
}
