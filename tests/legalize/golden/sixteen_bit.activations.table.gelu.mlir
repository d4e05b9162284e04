// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.gelu"(%arg0) <{approximate = false}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>> loc("main:0 GELU 't1'")
    return %1 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<513xi16>}> : () -> tensor<513xi16> loc("main:0 GELU 't1'")
    %2 = "tosa.table"(%arg0, %1) : (tensor<1x4x4x2xi16>, tensor<513xi16>) -> tensor<1x4x4x2xi32> loc("main:0 GELU 't1'")
    %3 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 GELU 't1'")
    %4 = "tosa.const"() <{values = dense<"0x25"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 GELU 't1'")
    %5 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 GELU 't1'")
    %6 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xi16>}> : () -> tensor<1xi16> loc("main:0 GELU 't1'")
    %7 = "tosa.rescale"(%2, %3, %4, %5, %6) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x2xi16> loc("main:0 GELU 't1'")
    return %7 : tensor<1x4x4x2xi16>
  }
}
