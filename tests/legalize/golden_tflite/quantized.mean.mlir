// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2xi8> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 MEAN 't2'")
    %2 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 MEAN 't2'")
    %3 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 MEAN 't2'")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 MEAN 't2'")
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 MEAN 't2'")
    %6 = "tosa.reduce_sum"(%5) <{axis = 1 : i32}> : (tensor<1x4x4x2xi32>) -> tensor<1x1x4x2xi32> loc("main:0 MEAN 't2'")
    %7 = "tosa.reduce_sum"(%6) <{axis = 2 : i32}> : (tensor<1x1x4x2xi32>) -> tensor<1x1x1x2xi32> loc("main:0 MEAN 't2'")
    %8 = "tosa.const"() <{values = dense<"0x22"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 MEAN 't2'")
    %9 = "tosa.rescale"(%7, %1, %8, %4, %3) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x1x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x2xi8> loc("main:0 MEAN 't2'")
    return %9 : tensor<1x1x1x2xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x0100000002000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("main:0 MEAN 't2'")
    %2 = "tfl.mean"(%arg0, %1) <{keep_dims = true}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>>, tensor<2xi32>) -> tensor<1x1x1x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> loc("main:0 MEAN 't2'")
    return %2 : tensor<1x1x1x2x!quant.uniform<i8:f32, 0.05000000074505806:0>>
  }
}
