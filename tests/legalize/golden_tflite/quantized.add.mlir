// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 ADD 't2'")
    %3 = "tosa.const"() <{values = dense<"0x0B"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 ADD 't2'")
    %4 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 ADD 't2'")
    %5 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 ADD 't2'")
    %6 = "tosa.rescale"(%arg0, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 ADD 't2'")
    %7 = "tosa.rescale"(%arg1, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 ADD 't2'")
    %8 = "tosa.add"(%6, %7) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 ADD 't2'")
    %9 = "tosa.const"() <{values = dense<"0x31"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 ADD 't2'")
    %10 = "tosa.rescale"(%8, %2, %9, %5, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8> loc("main:0 ADD 't2'")
    return %10 : tensor<1x4x4x2xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.add"(%arg0, %arg1) <{fused_activation_function = "NONE"}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>>, tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> loc("main:0 ADD 't2'")
    return %2 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>>
  }
}
