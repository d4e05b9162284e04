// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x40E0"> : tensor<1x1x2xi8>}> : () -> tensor<1x1x2x!quant.uniform<i8:f32, 0.009999999776482582:0>> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.prelu"(%arg0, %1) : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>, tensor<1x1x2x!quant.uniform<i8:f32, 0.009999999776482582:0>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> loc("main:0 PRELU 't2'")
    return %2 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 PRELU 't2'")
    %2 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 PRELU 't2'")
    %3 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xi16>}> : () -> tensor<1xi16> loc("main:0 PRELU 't2'")
    %4 = "tosa.rescale"(%arg0, %1, %2, %3, %3) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x4x4x2xi16> loc("main:0 PRELU 't2'")
    %5 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32> loc("main:0 PRELU 't2'")
    %6 = "tosa.const"() <{values = dense<"0x40000000E0FFFFFF"> : tensor<1x1x1x2xi32>}> : () -> tensor<1x1x1x2xi32> loc("main:0 PRELU 't2'")
    %7 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 PRELU 't2'")
    %8 = "tosa.mul"(%5, %6, %7) : (tensor<1x4x4x2xi32>, tensor<1x1x1x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32> loc("main:0 PRELU 't2'")
    %9 = "tosa.const"() <{values = dense<"0x8085EB51"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 PRELU 't2'")
    %10 = "tosa.const"() <{values = dense<"0x25"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 PRELU 't2'")
    %11 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 PRELU 't2'")
    %12 = "tosa.rescale"(%8, %9, %10, %11, %3) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x2xi16> loc("main:0 PRELU 't2'")
    %13 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 PRELU 't2'")
    %14 = "tosa.greater_equal"(%5, %13) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi1> loc("main:0 PRELU 't2'")
    %15 = "tosa.select"(%14, %4, %12) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi16>, tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16> loc("main:0 PRELU 't2'")
    return %15 : tensor<1x4x4x2xi16>
  }
}
