// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x4020"> : tensor<1x1x2xi8>}> : () -> tensor<1x1x2x!quant.uniform<i8:f32, 0.00390625:0>> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.prelu"(%arg0, %1) : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<1x1x2x!quant.uniform<i8:f32, 0.00390625:0>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> loc("main:0 PRELU 't2'")
    return %2 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<256xi8>}> : () -> tensor<256xi8> loc("main:0 PRELU 't2'")
    %2 = "tosa.table"(%arg0, %1) : (tensor<1x4x4x2xi8>, tensor<256xi8>) -> tensor<1x4x4x2xi8> loc("main:0 PRELU 't2'")
    %3 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 PRELU 't2'")
    %4 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 PRELU 't2'")
    %5 = "tosa.const"() <{values = dense<"0xFD"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 PRELU 't2'")
    %6 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 PRELU 't2'")
    %7 = "tosa.rescale"(%arg0, %3, %4, %5, %6) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 PRELU 't2'")
    %8 = "tosa.const"() <{values = dense<"0x4000000020000000"> : tensor<1x1x1x2xi32>}> : () -> tensor<1x1x1x2xi32> loc("main:0 PRELU 't2'")
    %9 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 PRELU 't2'")
    %10 = "tosa.mul"(%7, %8, %9) : (tensor<1x4x4x2xi32>, tensor<1x1x1x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32> loc("main:0 PRELU 't2'")
    %11 = "tosa.const"() <{values = dense<"0x27"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 PRELU 't2'")
    %12 = "tosa.const"() <{values = dense<"0x07"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 PRELU 't2'")
    %13 = "tosa.rescale"(%10, %3, %11, %6, %12) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8> loc("main:0 PRELU 't2'")
    %14 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 PRELU 't2'")
    %15 = "tosa.greater_equal"(%7, %14) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi1> loc("main:0 PRELU 't2'")
    %16 = "tosa.select"(%15, %2, %13) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8> loc("main:0 PRELU 't2'")
    return %16 : tensor<1x4x4x2xi8>
  }
}
