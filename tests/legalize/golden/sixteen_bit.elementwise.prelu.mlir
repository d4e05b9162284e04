// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x40E0"> : tensor<1x1x2xi8>}> : () -> tensor<1x1x2x!quant.uniform<i8:f32, 0.009999999776482582:0>> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.prelu"(%arg0, %1) : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>>, tensor<1x1x2x!quant.uniform<i8:f32, 0.009999999776482582:0>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>> loc("main:0 PRELU 't2'")
    return %2 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32> loc("main:0 PRELU 't2'")
    %2 = "tosa.const"() <{values = dense<"0xFDFFFFFF"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 PRELU 't2'")
    %3 = "tosa.sub"(%1, %2) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 PRELU 't2'")
    %4 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 PRELU 't2'")
    %5 = "tosa.const"() <{values = dense<"0x1F"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 PRELU 't2'")
    %6 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 PRELU 't2'")
    %7 = "tosa.rescale"(%3, %4, %5, %6, %6) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 PRELU 't2'")
    %8 = "tosa.const"() <{values = dense<"0x07000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 PRELU 't2'")
    %9 = "tosa.add"(%7, %8) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 PRELU 't2'")
    %10 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 PRELU 't2'")
    %11 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xi16>}> : () -> tensor<1xi16> loc("main:0 PRELU 't2'")
    %12 = "tosa.rescale"(%9, %4, %10, %6, %11) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x2xi16> loc("main:0 PRELU 't2'")
    %13 = "tosa.const"() <{values = dense<"0x40000000E0FFFFFF"> : tensor<1x1x1x2xi32>}> : () -> tensor<1x1x1x2xi32> loc("main:0 PRELU 't2'")
    %14 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 PRELU 't2'")
    %15 = "tosa.mul"(%3, %13, %14) : (tensor<1x4x4x2xi32>, tensor<1x1x1x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32> loc("main:0 PRELU 't2'")
    %16 = "tosa.const"() <{values = dense<"0x8085EB51"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 PRELU 't2'")
    %17 = "tosa.const"() <{values = dense<"0x26"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 PRELU 't2'")
    %18 = "tosa.rescale"(%15, %16, %17, %6, %6) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 PRELU 't2'")
    %19 = "tosa.add"(%18, %8) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 PRELU 't2'")
    %20 = "tosa.rescale"(%19, %4, %10, %6, %11) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x2xi16> loc("main:0 PRELU 't2'")
    %21 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 PRELU 't2'")
    %22 = "tosa.greater_equal"(%3, %21) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi1> loc("main:0 PRELU 't2'")
    %23 = "tosa.select"(%22, %12, %20) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi16>, tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16> loc("main:0 PRELU 't2'")
    return %23 : tensor<1x4x4x2xi16>
  }
}
