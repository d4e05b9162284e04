// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[[64, -32]]]> : tensor<1x1x2xi8>}> : () -> tensor<1x1x2x!quant.uniform<i8:f32, 0.009999999776482582:0>>
    %2 = "tfl.prelu"(%arg0, %1) : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>>, tensor<1x1x2x!quant.uniform<i8:f32, 0.009999999776482582:0>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>>
    return %2 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %2 = "tosa.const"() <{values = dense<[[[[-3]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %3 = "tosa.sub"(%1, %2) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %4 = "tosa.const"() <{values = dense<[[[[0]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %5 = "tosa.greater_equal"(%3, %4) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi1>
    %6 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "tosa.rescale"(%3, %6, %7, %8, %8) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %10 = "tosa.const"() <{values = dense<[[[[7]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %11 = "tosa.add"(%9, %10) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %12 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %13 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %14 = "tosa.rescale"(%11, %6, %12, %8, %13) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
    %15 = "tosa.const"() <{values = dense<[[[[64, -32]]]]> : tensor<1x1x1x2xi32>}> : () -> tensor<1x1x1x2xi32>
    %16 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = "tosa.mul"(%3, %15, %16) : (tensor<1x4x4x2xi32>, tensor<1x1x1x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
    %18 = "tosa.const"() <{values = dense<[1374389632]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %19 = "tosa.const"() <{values = dense<[38]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %20 = "tosa.rescale"(%17, %18, %19, %8, %8) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %21 = "tosa.add"(%20, %10) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %22 = "tosa.rescale"(%21, %6, %12, %8, %13) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
    %23 = "tosa.select"(%5, %14, %22) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi16>, tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16>
    return %23 : tensor<1x4x4x2xi16>
  }
}
