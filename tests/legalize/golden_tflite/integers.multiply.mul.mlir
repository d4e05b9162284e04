// before
module {
  func.func @"main"(%arg0: tensor<2x1x30xi8> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30xi8> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30xi32> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.mul"(%arg0, %arg1, %2) : (tensor<2x1x30xi8>, tensor<2x4x30xi8>, tensor<1xi8>) -> tensor<2x4x30xi32>
    return %3 : tensor<2x4x30xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x1x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30xi32> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.cast"(%arg0) : (tensor<2x1x30x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x1x30xi32>
    %3 = "tfl.cast"(%arg1) : (tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x30xi32>
    %4 = "tfl.mul"(%2, %3) : (tensor<2x1x30xi32>, tensor<2x4x30xi32>) -> tensor<2x4x30xi32>
    return %4 : tensor<2x4x30xi32>
  }
}
