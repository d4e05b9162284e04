// before
module {
  func.func @"main"(%arg0: tensor<2x1x30xi8> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30xi8> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30xi8> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.bitwise_and"(%arg0, %arg1) : (tensor<2x1x30xi8>, tensor<2x4x30xi8>) -> tensor<2x4x30xi8>
    return %2 : tensor<2x4x30xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x1x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.cast"(%arg0) : (tensor<2x1x30x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x1x30xi32>
    %3 = "tfl.cast"(%arg1) : (tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x30xi32>
    %4 = "tfl.add"(%2, %3) : (tensor<2x1x30xi32>, tensor<2x4x30xi32>) -> tensor<2x4x30xi32>
    %5 = "tfl.bitwise_xor"(%2, %3) : (tensor<2x1x30xi32>, tensor<2x4x30xi32>) -> tensor<2x4x30xi32>
    %6 = "tfl.sub"(%4, %5) : (tensor<2x4x30xi32>, tensor<2x4x30xi32>) -> tensor<2x4x30xi32>
    %7 = "tfl.pseudo_const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %8 = "tfl.right_shift"(%6, %7) : (tensor<2x4x30xi32>, tensor<i32>) -> tensor<2x4x30xi32>
    %9 = "tfl.cast"(%8) : (tensor<2x4x30xi32>) -> tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>
    return %9 : tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>
  }
}
