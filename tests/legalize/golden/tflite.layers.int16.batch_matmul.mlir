// before
module {
  func.func @"main"(%arg0: tensor<1x3x4x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x5x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t1"}) -> (tensor<1x3x5x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.batch_matmul"(%arg0, %arg1) <{adj_x = false, adj_y = false, asymmetric_quantize_inputs = false}> : (tensor<1x3x4x!quant.uniform<i16:f32, 0.05000000074505806:0>>, tensor<1x4x5x!quant.uniform<i16:f32, 0.05000000074505806:0>>) -> tensor<1x3x5x!quant.uniform<i16:f32, 0.05000000074505806:0>>
    return %2 : tensor<1x3x5x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x3x4xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x5xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x3x5xi16> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %3 = "tosa.matmul"(%arg0, %arg1, %2, %2) : (tensor<1x3x4xi16>, tensor<1x4x5xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x3x5xi48>
    %4 = "tosa.const"() <{values = dense<[26214]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %5 = "tosa.const"() <{values = dense<[19]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.const"() <{values = dense<[0]> : tensor<1xi48>}> : () -> tensor<1xi48>
    %7 = "tosa.rescale"(%3, %4, %5, %6, %2) <{scale32 = false, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x3x5xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<1x3x5xi16>
    return %7 : tensor<1x3x5xi16>
  }
}
