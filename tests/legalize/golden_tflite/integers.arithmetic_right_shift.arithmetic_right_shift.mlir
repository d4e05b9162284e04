// before
module {
  func.func @"main"(%arg0: tensor<2x1x30xi8> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30xi8> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30xi8> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.arithmetic_right_shift"(%arg0, %arg1) <{round = false}> : (tensor<2x1x30xi8>, tensor<2x4x30xi8>) -> tensor<2x4x30xi8>
    return %2 : tensor<2x4x30xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x1x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.right_shift"(%arg0, %arg1) : (tensor<2x1x30x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>
    return %2 : tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>
  }
}
