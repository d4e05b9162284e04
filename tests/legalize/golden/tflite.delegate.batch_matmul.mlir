// before
module {
  func.func @"main"(%arg0: tensor<1x3x4x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x5x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t1"}) -> (tensor<1x3x5x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.batch_matmul"(%arg0, %arg1) <{adj_x = false, adj_y = false, asymmetric_quantize_inputs = false}> : (tensor<1x3x4x!quant.uniform<i8:f32, 0.05000000074505806:0>>, tensor<1x4x5x!quant.uniform<i8:f32, 0.05000000074505806:0>>) -> tensor<1x3x5x!quant.uniform<i8:f32, 0.05000000074505806:0>>
    return %2 : tensor<1x3x5x!quant.uniform<i8:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x3x4xi8> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x5xi8> {tosa.tensor_name = "t1"}) -> (tensor<1x3x5xi8> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.matmul"(%arg0, %arg1, %2, %2) : (tensor<1x3x4xi8>, tensor<1x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5xi32>
    %4 = "tosa.cast"(%3) : (tensor<1x3x5xi32>) -> tensor<1x3x5xf32>
    %5 = "tosa.const"() <{values = dense<[[[0.05000000447034836]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %6 = "tosa.mul"(%4, %5, %2) : (tensor<1x3x5xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x3x5xf32>
    %7 = "tosa.cast"(%6) : (tensor<1x3x5xf32>) -> tensor<1x3x5xi32>
    %8 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %11 = "tosa.rescale"(%7, %8, %9, %10, %2) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x3x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x5xi8>
    return %11 : tensor<1x3x5xi8>
  }
}
