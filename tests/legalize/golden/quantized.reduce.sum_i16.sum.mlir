// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.sum"(%arg0, %1) <{keep_dims = true}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>, tensor<2xi32>) -> tensor<1x1x1x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>
    return %2 : tensor<1x1x1x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2xi16> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<[[[[0.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %2 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.rescale"(%arg0, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %7 = "tosa.reduce_sum"(%6) <{axis = 1 : i32}> : (tensor<1x4x4x2xi32>) -> tensor<1x1x4x2xi32>
    %8 = "tosa.reduce_sum"(%7) <{axis = 2 : i32}> : (tensor<1x1x4x2xi32>) -> tensor<1x1x1x2xi32>
    %9 = "tosa.cast"(%8) : (tensor<1x1x1x2xi32>) -> tensor<1x1x1x2xf32>
    %10 = "tosa.const"() <{values = dense<[[[[1.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %11 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.mul"(%9, %10, %11) : (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x2xf32>
    %13 = "tosa.add"(%12, %1) : (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xf32>
    %14 = "tosa.greater"(%1, %13) : (tensor<1x1x1x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xi1>
    %15 = "tosa.const"() <{values = dense<[[[[0]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %16 = "tosa.abs"(%13) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
    %17 = "tosa.clamp"(%16) <{min_val = 0x00000000 : f32, max_val = 0x49800000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
    %18 = "tosa.floor"(%17) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
    %19 = "tosa.cast"(%18) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xi32>
    %20 = "tosa.sub"(%17, %18) : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
    %21 = "tosa.const"() <{values = dense<[[[[0.5]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %22 = "tosa.greater_equal"(%20, %21) : (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xi1>
    %23 = "tosa.cast"(%22) : (tensor<1x1x1x2xi1>) -> tensor<1x1x1x2xi8>
    %24 = "tosa.cast"(%23) : (tensor<1x1x1x2xi8>) -> tensor<1x1x1x2xi32>
    %25 = "tosa.add"(%19, %24) : (tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>) -> tensor<1x1x1x2xi32>
    %26 = "tosa.sub"(%15, %25) : (tensor<1x1x1x1xi32>, tensor<1x1x1x2xi32>) -> tensor<1x1x1x2xi32>
    %27 = "tosa.select"(%14, %26, %25) : (tensor<1x1x1x2xi1>, tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>) -> tensor<1x1x1x2xi32>
    %28 = "tosa.add"(%27, %15) : (tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x2xi32>
    %29 = "tosa.const"() <{values = dense<[[[[-32768]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %30 = "tosa.maximum"(%28, %29) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x2xi32>
    %31 = "tosa.const"() <{values = dense<[[[[32767]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %32 = "tosa.minimum"(%30, %31) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x2xi32>
    %33 = "tosa.cast"(%32) : (tensor<1x1x1x2xi32>) -> tensor<1x1x1x2xi16>
    return %33 : tensor<1x1x1x2xi16>
  }
}
