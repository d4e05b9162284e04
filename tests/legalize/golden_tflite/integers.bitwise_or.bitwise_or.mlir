// before
module {
  func.func @"main"(%arg0: tensor<2x1x30xi8> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30xi8> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30xi8> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.bitwise_or"(%arg0, %arg1) : (tensor<2x1x30xi8>, tensor<2x4x30xi8>) -> tensor<2x4x30xi8>
    return %2 : tensor<2x4x30xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x1x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.bitwise_xor"(%arg0, %arg1) : (tensor<2x1x30x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>
    %3 = "tfl.cast"(%2) : (tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x30xi32>
    %4 = "tfl.cast"(%arg0) : (tensor<2x1x30x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x1x30xi32>
    %5 = "tfl.cast"(%arg1) : (tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x4x30xi32>
    %6 = "tfl.add"(%4, %5) : (tensor<2x1x30xi32>, tensor<2x4x30xi32>) -> tensor<2x4x30xi32>
    %7 = "tfl.bitwise_xor"(%4, %5) : (tensor<2x1x30xi32>, tensor<2x4x30xi32>) -> tensor<2x4x30xi32>
    %8 = "tfl.sub"(%6, %7) : (tensor<2x4x30xi32>, tensor<2x4x30xi32>) -> tensor<2x4x30xi32>
    %9 = "tfl.pseudo_const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %10 = "tfl.right_shift"(%8, %9) : (tensor<2x4x30xi32>, tensor<i32>) -> tensor<2x4x30xi32>
    %11 = "tfl.add"(%3, %10) : (tensor<2x4x30xi32>, tensor<2x4x30xi32>) -> tensor<2x4x30xi32>
    %12 = "tfl.cast"(%11) : (tensor<2x4x30xi32>) -> tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>
    return %12 : tensor<2x4x30x!quant.uniform<i8:f32, 1.0:0>>
  }
}
