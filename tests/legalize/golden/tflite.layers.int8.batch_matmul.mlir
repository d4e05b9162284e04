// before
module {
  func.func @"main"(%arg0: tensor<1x3x4x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x5x!quant.uniform<i8:f32, 0.029999999329447746:5>> {tosa.tensor_name = "t1"}) -> (tensor<1x3x5x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.batch_matmul"(%arg0, %arg1) <{adj_x = false, adj_y = false, asymmetric_quantize_inputs = false}> : (tensor<1x3x4x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<1x4x5x!quant.uniform<i8:f32, 0.029999999329447746:5>>) -> tensor<1x3x5x!quant.uniform<i8:f32, 0.10000000149011612:7>>
    return %2 : tensor<1x3x5x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x3x4xi8> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x5xi8> {tosa.tensor_name = "t1"}) -> (tensor<1x3x5xi8> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[-3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<[5]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.matmul"(%arg0, %arg1, %2, %3) : (tensor<1x3x4xi8>, tensor<1x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5xi32>
    %5 = "tosa.const"() <{values = dense<[2061584289]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.const"() <{values = dense<[37]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %8 = "tosa.const"() <{values = dense<[7]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.rescale"(%4, %5, %6, %7, %8) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x3x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x5xi8>
    return %9 : tensor<1x3x5xi8>
  }
}
