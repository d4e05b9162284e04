// before
module {
  func.func @"main"(%arg0: tensor<6x1x1x4xi8> {tosa.tensor_name = "x"}) -> (tensor<6x1x1x4xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<6x1x1x4xi8>, !tosa.shape<3>) -> tensor<2x3x4xi8> loc("")
    %3 = "tosa.const"() <{values = dense<"0x00000040000000410000004200000043"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %4 = "tosa.const"() <{values = dense<"0x1F1F1F1F"> : tensor<4xi8>}> : () -> tensor<4xi8> loc("")
    %5 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %6 = "tosa.rescale"(%2, %3, %4, %5, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = true, input_unsigned = false, output_unsigned = false}> : (tensor<2x3x4xi8>, tensor<4xi32>, tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x4xi8> loc("")
    %7 = "tosa.const_shape"() <{values = dense<[6, 1, 1, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("")
    %8 = "tosa.reshape"(%6, %7) : (tensor<2x3x4xi8>, !tosa.shape<4>) -> tensor<6x1x1x4xi8> loc("")
    return %8 : tensor<6x1x1x4xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<6x1x1x4xi8> {tosa.tensor_name = "x"}) -> (tensor<6x1x1x4xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000040000000410000004200000043"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %2 = "tosa.const"() <{values = dense<"0x1F1F1F1F"> : tensor<4xi8>}> : () -> tensor<4xi8> loc("")
    %3 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %4 = "tosa.rescale"(%arg0, %1, %2, %3, %3) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = true, input_unsigned = false, output_unsigned = false}> : (tensor<6x1x1x4xi8>, tensor<4xi32>, tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<6x1x1x4xi8> loc("")
    return %4 : tensor<6x1x1x4xi8>
  }
}
