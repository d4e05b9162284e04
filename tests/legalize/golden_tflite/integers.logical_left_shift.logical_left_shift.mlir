// before
module {
  func.func @"main"(%arg0: tensor<2x1x30xi8> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30xi8> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30xi8> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.logical_left_shift"(%arg0, %arg1) : (tensor<2x1x30xi8>, tensor<2x4x30xi8>) -> tensor<2x4x30xi8>
    return %2 : tensor<2x4x30xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x1x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.cast"(%arg0) : (tensor<2x1x30x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x1x30xi64>
    %3 = "tfl.pseudo_const"() <{values = dense<sha256 af4ab07261d9a98c> : tensor<32xi64>}> : () -> tensor<32xi64>
    %4 = "tfl.cast"(%arg1) : (tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x30xi32>
    %5 = "tfl.gather"(%3, %4) <{axis = 0 : i64}> : (tensor<32xi64>, tensor<2x4x30xi32>) -> tensor<2x4x30xi64>
    %6 = "tfl.mul"(%2, %5) : (tensor<2x1x30xi64>, tensor<2x4x30xi64>) -> tensor<2x4x30xi64>
    %7 = "tfl.cast"(%6) : (tensor<2x4x30xi64>) -> tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>
    return %7 : tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>
  }
}
