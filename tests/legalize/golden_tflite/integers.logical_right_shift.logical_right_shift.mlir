// before
module {
  func.func @"main"(%arg0: tensor<2x1x30xi8> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30xi8> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30xi8> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.logical_right_shift"(%arg0, %arg1) : (tensor<2x1x30xi8>, tensor<2x4x30xi8>) -> tensor<2x4x30xi8>
    return %2 : tensor<2x4x30xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x1x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.bitcast"(%arg0) : (tensor<2x1x30x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x1x30xui8>
    %3 = "tfl.bitcast"(%arg1) : (tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x30xui8>
    %4 = "tfl.right_shift"(%2, %3) : (tensor<2x1x30xui8>, tensor<2x4x30xui8>) -> tensor<2x4x30xui8>
    %5 = "tfl.bitcast"(%4) : (tensor<2x4x30xui8>) -> tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>
    return %5 : tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>
  }
}
