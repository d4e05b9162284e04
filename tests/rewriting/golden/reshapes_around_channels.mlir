// before
module {
  func.func @"main"(%arg0: tensor<6x1x1x4xi8> {tosa.tensor_name = "x"}) -> (tensor<6x1x1x4xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<6x1x1x4xi8>, !tosa.shape<3>) -> tensor<2x3x4xi8>
    %3 = "tosa.const"() <{values = dense<[1073741824, 1090519040, 1107296256, 1124073472]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %4 = "tosa.const"() <{values = dense<[31, 31, 31, 31]> : tensor<4xi8>}> : () -> tensor<4xi8>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.rescale"(%2, %3, %4, %5, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = true, input_unsigned = false, output_unsigned = false}> : (tensor<2x3x4xi8>, tensor<4xi32>, tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x4xi8>
    %7 = "tosa.const_shape"() <{values = dense<[6, 1, 1, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %8 = "tosa.reshape"(%6, %7) : (tensor<2x3x4xi8>, !tosa.shape<4>) -> tensor<6x1x1x4xi8>
    return %8 : tensor<6x1x1x4xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<6x1x1x4xi8> {tosa.tensor_name = "x"}) -> (tensor<6x1x1x4xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[1073741824, 1090519040, 1107296256, 1124073472]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %2 = "tosa.const"() <{values = dense<[31, 31, 31, 31]> : tensor<4xi8>}> : () -> tensor<4xi8>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.rescale"(%arg0, %1, %2, %3, %3) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = true, input_unsigned = false, output_unsigned = false}> : (tensor<6x1x1x4xi8>, tensor<4xi32>, tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<6x1x1x4xi8>
    return %4 : tensor<6x1x1x4xi8>
  }
}
