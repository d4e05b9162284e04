// before
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 0 : i32}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    %2 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.rescale"(%1, %2, %3, %4, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3xi8>
    return %5 : tensor<2x3xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 0 : i32}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    return %1 : tensor<2x3xi8>
  }
}
