// before
module {
  func.func @"main"(%arg0: tensor<5x20x9xi8> {tosa.tensor_name = "in0"}) -> (tensor<5x20x9xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[31829]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = "tosa.const"() <{values = dense<[17]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<[61]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[97]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = false, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<5x20x9xi8>, tensor<1xi16>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<5x20x9xi8>
    return %5 : tensor<5x20x9xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<5x20x9x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<5x20x9x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<sha256 e55d1f458c3038e4> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tfl.cast"(%arg0) : (tensor<5x20x9x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<5x20x9xi32>
    %3 = "tfl.pseudo_const"() <{values = dense<128> : tensor<i32>}> : () -> tensor<i32>
    %4 = "tfl.add"(%2, %3) : (tensor<5x20x9xi32>, tensor<i32>) -> tensor<5x20x9xi32>
    %5 = "tfl.gather"(%1, %4) <{axis = 0 : i64}> : (tensor<256xi8>, tensor<5x20x9xi32>) -> tensor<5x20x9x!quant.uniform<i8:f32, 1.0:0>>
    return %5 : tensor<5x20x9x!quant.uniform<i8:f32, 1.0:0>>
  }
}
