// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.sum"(%arg0, %1) <{keep_dims = true}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<2xi32>) -> tensor<1x1x1x2x!quant.uniform<i8:f32, 0.10000000149011612:7>>
    return %2 : tensor<1x1x1x2x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2xi8> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<[[[[-128]]]]> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %2 = "tosa.bitwise_xor"(%arg0, %1) : (tensor<1x4x4x2xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x2xi8>
    %3 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.const"() <{values = dense<[-128]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = "tosa.rescale"(%2, %3, %4, %5, %6) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %8 = "tosa.reduce_sum"(%7) <{axis = 1 : i32}> : (tensor<1x4x4x2xi32>) -> tensor<1x1x4x2xi32>
    %9 = "tosa.reduce_sum"(%8) <{axis = 2 : i32}> : (tensor<1x1x4x2xi32>) -> tensor<1x1x1x2xi32>
    %10 = "tosa.const"() <{values = dense<[[[[-48]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %11 = "tosa.sub"(%9, %10) : (tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x2xi32>
    %12 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %13 = "tosa.rescale"(%11, %3, %12, %6, %6) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x1x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x1x1x2xi32>
    %14 = "tosa.const"() <{values = dense<[[[[7]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %15 = "tosa.add"(%13, %14) : (tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x2xi32>
    %16 = "tosa.const"() <{values = dense<[[[[0]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %17 = "tosa.maximum"(%15, %16) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x2xi32>
    %18 = "tosa.const"() <{values = dense<[[[[255]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %19 = "tosa.minimum"(%17, %18) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x2xi32>
    %20 = "tosa.cast"(%19) : (tensor<1x1x1x2xi32>) -> tensor<1x1x1x2xi8>
    return %20 : tensor<1x1x1x2xi8>
  }
}
