// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.029999999329447746:5>> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.mul"(%arg0, %arg1) <{fused_activation_function = "NONE"}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>>, tensor<1x4x4x2x!quant.uniform<i16:f32, 0.029999999329447746:5>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> loc("main:0 MUL 't2'")
    return %2 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32> loc("main:0 MUL 't2'")
    %3 = "tosa.cast"(%arg1) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32> loc("main:0 MUL 't2'")
    %4 = "tosa.const"() <{values = dense<"0x0F"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 MUL 't2'")
    %5 = "tosa.mul"(%2, %3, %4) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32> loc("main:0 MUL 't2'")
    %6 = "tosa.const"() <{values = dense<"0x01000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 MUL 't2'")
    %7 = "tosa.const"() <{values = dense<"0x26"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 MUL 't2'")
    %8 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 MUL 't2'")
    %9 = "tosa.rescale"(%5, %6, %7, %8, %8) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 MUL 't2'")
    %10 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 MUL 't2'")
    %11 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 MUL 't2'")
    %12 = "tosa.const"() <{values = dense<"0x07"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 MUL 't2'")
    %13 = "tosa.rescale"(%9, %10, %11, %8, %12) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8> loc("main:0 MUL 't2'")
    return %13 : tensor<1x4x4x2xi8>
  }
}
