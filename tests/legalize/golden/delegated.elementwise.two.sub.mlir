// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.029999999329447746:5>> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.sub"(%arg0, %arg1) <{fused_activation_function = "NONE", pot_scale_int16 = true}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<1x4x4x2x!quant.uniform<i8:f32, 0.029999999329447746:5>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> loc("main:0 SUB 't2'")
    return %2 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<"0x00000020"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 SUB 't2'")
    %3 = "tosa.const"() <{values = dense<"0x09"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SUB 't2'")
    %4 = "tosa.const"() <{values = dense<"0xFD"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SUB 't2'")
    %5 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 SUB 't2'")
    %6 = "tosa.rescale"(%arg0, %2, %3, %4, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 SUB 't2'")
    %7 = "tosa.const"() <{values = dense<"0x00343313"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 SUB 't2'")
    %8 = "tosa.const"() <{values = dense<"0x05"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SUB 't2'")
    %9 = "tosa.rescale"(%arg1, %7, %3, %8, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 SUB 't2'")
    %10 = "tosa.sub"(%6, %9) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 SUB 't2'")
    %11 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 SUB 't2'")
    %12 = "tosa.const"() <{values = dense<"0x33"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SUB 't2'")
    %13 = "tosa.const"() <{values = dense<"0x07"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SUB 't2'")
    %14 = "tosa.rescale"(%10, %11, %12, %5, %13) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8> loc("main:0 SUB 't2'")
    return %14 : tensor<1x4x4x2xi8>
  }
}
