// before
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
    %2 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %3 = "tosa.const"() <{values = dense<"0x05"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x3xi32> loc("")
    %6 = "tosa.const"() <{values = dense<"0x9A79825A"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
    %7 = "tosa.const"() <{values = dense<"0x1F"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %8 = "tosa.const"() <{values = dense<"0xF9"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %9 = "tosa.rescale"(%5, %6, %7, %4, %8) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3xi8> loc("")
    return %9 : tensor<2x3xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<"0x9A79825A"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
    %2 = "tosa.const"() <{values = dense<"0x1F"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %3 = "tosa.const"() <{values = dense<"0x05"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %4 = "tosa.const"() <{values = dense<"0xF9"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3xi8> loc("")
    return %5 : tensor<2x3xi8>
  }
}
