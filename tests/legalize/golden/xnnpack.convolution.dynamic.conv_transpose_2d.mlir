// before
module {
  func.func @"main"(%arg0: tensor<2x5x4x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<2x10x10x6xf32> {tosa.tensor_name = "v4"}) {
    %1 = "xnn.convert"(%arg0) <{flags = 0 : i64}> : (tensor<2x5x4x4xf32>) -> tensor<2x5x4x4x!quant.any<i8:f32>>
    %2 = "xnn.const"() <{values = dense<sha256 92233665699e8cd6> : tensor<6x3x2x4xi8>}> : () -> tensor<6x3x2x4x!quant.uniform<i8:f32:0, {0.00833726953715086:0, 0.013066819868981838:0, 0.014972717501223087:0, 0.009382623247802258:0, 0.019773438572883606:0, 0.018401987850666046:0}>>
    %3 = "xnn.const"() <{values = dense<[0.15467511117458344, 0.24975760281085968, -0.05149663984775543, -0.08877425640821457, -0.8397175669670105, -0.5842215418815613]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %4 = "xnn.conv_transpose_2d"(%1, %2, %3) <{padding_top = 1 : i64, padding_right = 0 : i64, padding_bottom = 0 : i64, padding_left = 1 : i64, kernel_height = 3 : i64, kernel_width = 2 : i64, subsampling_height = 2 : i64, subsampling_width = 3 : i64, dilation_height = 1 : i64, dilation_width = 1 : i64, group_input_channels = 4 : i64, group_output_channels = 6 : i64, groups = 1 : i64, adjustment_height = 0 : i64, adjustment_width = 0 : i64, flags = 0 : i64}> : (tensor<2x5x4x4x!quant.any<i8:f32>>, tensor<6x3x2x4x!quant.uniform<i8:f32:0, {0.00833726953715086:0, 0.013066819868981838:0, 0.014972717501223087:0, 0.009382623247802258:0, 0.019773438572883606:0, 0.018401987850666046:0}>>, tensor<6xf32>) -> tensor<2x10x10x6xf32>
    return %4 : tensor<2x10x10x6xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x5x4x4xf32> {tosa.tensor_name = "v0"}) -> (tensor<2x10x10x6xf32> {tosa.tensor_name = "v4"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 80]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x5x4x4xf32>, !tosa.shape<2>) -> tensor<2x80xf32>
    %3 = "tosa.const"() <{values = dense<[[6.162975822039155e-33]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %4 = "tosa.reduce_max"(%2) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x80xf32>) -> tensor<2x1xf32>
    %5 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %6 = "tosa.maximum"(%4, %5) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %7 = "tosa.reduce_min"(%2) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x80xf32>) -> tensor<2x1xf32>
    %8 = "tosa.minimum"(%7, %5) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %9 = "tosa.sub"(%6, %8) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %10 = "tosa.greater"(%3, %9) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xi1>
    %11 = "tosa.const"() <{values = dense<[[1.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %12 = "tosa.reciprocal"(%9) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %13 = "tosa.const"() <{values = dense<[[255.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %14 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = "tosa.mul"(%12, %13, %14) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %16 = "tosa.mul"(%15, %9, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %17 = "tosa.sub"(%13, %16) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %18 = "tosa.const"() <{values = dense<[[4097.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %19 = "tosa.mul"(%15, %18, %14) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %20 = "tosa.sub"(%19, %15) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %21 = "tosa.sub"(%19, %20) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %22 = "tosa.mul"(%9, %18, %14) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %23 = "tosa.sub"(%22, %9) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %24 = "tosa.sub"(%22, %23) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %25 = "tosa.mul"(%21, %24, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %26 = "tosa.sub"(%25, %16) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %27 = "tosa.sub"(%9, %24) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %28 = "tosa.mul"(%21, %27, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %29 = "tosa.add"(%26, %28) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %30 = "tosa.sub"(%15, %21) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %31 = "tosa.mul"(%30, %24, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %32 = "tosa.add"(%29, %31) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %33 = "tosa.mul"(%30, %27, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %34 = "tosa.add"(%32, %33) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %35 = "tosa.sub"(%17, %34) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %36 = "tosa.const"() <{values = dense<[[0.9999999403953552]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %37 = "tosa.mul"(%12, %36, %14) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %38 = "tosa.mul"(%35, %37, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %39 = "tosa.add"(%15, %38) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %40 = "tosa.select"(%10, %11, %39) : (tensor<2x1xi1>, tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %41 = "tosa.mul"(%2, %40, %14) : (tensor<2x80xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x80xf32>
    %42 = "tosa.cast"(%41) : (tensor<2x80xf32>) -> tensor<2x80xi32>
    %43 = "tosa.const"() <{values = dense<[[-128.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %44 = "tosa.mul"(%8, %40, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %45 = "tosa.add"(%43, %44) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %46 = "tosa.const"() <{values = dense<[[127.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %47 = "tosa.mul"(%6, %40, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %48 = "tosa.add"(%46, %47) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %49 = "tosa.add"(%45, %48) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %50 = "tosa.greater"(%49, %5) : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xi1>
    %51 = "tosa.sub"(%43, %44) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %52 = "tosa.sub"(%46, %47) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %53 = "tosa.select"(%50, %51, %52) : (tensor<2x1xi1>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %54 = "tosa.clamp"(%53) <{min_val = 0xC3000000 : f32, max_val = 0x42FE0000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %55 = "tosa.cast"(%54) : (tensor<2x1xf32>) -> tensor<2x1xi32>
    %56 = "tosa.add"(%42, %55) : (tensor<2x80xi32>, tensor<2x1xi32>) -> tensor<2x80xi32>
    %57 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %58 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %59 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %60 = "tosa.rescale"(%56, %57, %58, %59, %14) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x80xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x80xi8>
    %61 = "tosa.const_shape"() <{values = dense<[2, 5, 4, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %62 = "tosa.reshape"(%60, %61) : (tensor<2x80xi8>, !tosa.shape<4>) -> tensor<2x5x4x4xi8>
    %63 = "tosa.cast"(%62) : (tensor<2x5x4x4xi8>) -> tensor<2x5x4x4xi32>
    %64 = "tosa.const_shape"() <{values = dense<[2, 1, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %65 = "tosa.reshape"(%55, %64) : (tensor<2x1xi32>, !tosa.shape<4>) -> tensor<2x1x1x1xi32>
    %66 = "tosa.sub"(%63, %65) : (tensor<2x5x4x4xi32>, tensor<2x1x1x1xi32>) -> tensor<2x5x4x4xi32>
    %67 = "tosa.cast"(%66) : (tensor<2x5x4x4xi32>) -> tensor<2x5x4x4xf32>
    %68 = "tosa.const"() <{values = dense<sha256 57d5f90d5963f28e> : tensor<6x3x2x4xf32>}> : () -> tensor<6x3x2x4xf32>
    %69 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %70 = "tosa.transpose_conv2d"(%67, %68, %69, %69, %69) <{out_pad = array<i64: -1, 0, -1, 0>, stride = array<i64: 2, 3>, acc_type = f32, local_bound = false}> : (tensor<2x5x4x4xf32>, tensor<6x3x2x4xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x10x10x6xf32>
    %71 = "tosa.reciprocal"(%40) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %72 = "tosa.mul"(%71, %11, %14) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %73 = "tosa.mul"(%72, %40, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %74 = "tosa.sub"(%11, %73) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %75 = "tosa.mul"(%72, %18, %14) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %76 = "tosa.sub"(%75, %72) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %77 = "tosa.sub"(%75, %76) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %78 = "tosa.mul"(%40, %18, %14) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %79 = "tosa.sub"(%78, %40) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %80 = "tosa.sub"(%78, %79) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %81 = "tosa.mul"(%77, %80, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %82 = "tosa.sub"(%81, %73) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %83 = "tosa.sub"(%40, %80) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %84 = "tosa.mul"(%77, %83, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %85 = "tosa.add"(%82, %84) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %86 = "tosa.sub"(%72, %77) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %87 = "tosa.mul"(%86, %80, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %88 = "tosa.add"(%85, %87) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %89 = "tosa.mul"(%86, %83, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %90 = "tosa.add"(%88, %89) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %91 = "tosa.sub"(%74, %90) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %92 = "tosa.mul"(%71, %36, %14) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %93 = "tosa.mul"(%91, %92, %14) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %94 = "tosa.add"(%72, %93) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %95 = "tosa.reshape"(%94, %64) : (tensor<2x1xf32>, !tosa.shape<4>) -> tensor<2x1x1x1xf32>
    %96 = "tosa.mul"(%70, %95, %14) : (tensor<2x10x10x6xf32>, tensor<2x1x1x1xf32>, tensor<1xi8>) -> tensor<2x10x10x6xf32>
    %97 = "tosa.const"() <{values = dense<[[[[0.00833726953715086, 0.013066819868981838, 0.014972717501223087, 0.009382623247802258, 0.019773438572883606, 0.018401987850666046]]]]> : tensor<1x1x1x6xf32>}> : () -> tensor<1x1x1x6xf32>
    %98 = "tosa.mul"(%96, %97, %14) : (tensor<2x10x10x6xf32>, tensor<1x1x1x6xf32>, tensor<1xi8>) -> tensor<2x10x10x6xf32>
    %99 = "tosa.const"() <{values = dense<[[[[0.15467511117458344, 0.24975760281085968, -0.05149663984775543, -0.08877425640821457, -0.8397175669670105, -0.5842215418815613]]]]> : tensor<1x1x1x6xf32>}> : () -> tensor<1x1x1x6xf32>
    %100 = "tosa.add"(%98, %99) : (tensor<2x10x10x6xf32>, tensor<1x1x1x6xf32>) -> tensor<2x10x10x6xf32>
    return %100 : tensor<2x10x10x6xf32>
  }
}
