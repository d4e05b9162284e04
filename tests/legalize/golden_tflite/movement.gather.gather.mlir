// before
module {
  func.func @"main"(%arg0: tensor<1x6x4xi8> {tosa.tensor_name = "in0"}, %arg1: tensor<1x4xi32> {tosa.tensor_name = "in1"}) -> (tensor<1x4x4xi8> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.gather"(%arg0, %arg1) : (tensor<1x6x4xi8>, tensor<1x4xi32>) -> tensor<1x4x4xi8>
    return %2 : tensor<1x4x4xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x6x4x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}, %arg1: tensor<1x4xi32> {tosa.tensor_name = "in1"}) -> (tensor<1x4x4x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.gather"(%arg0, %arg1) <{axis = 1 : i64, batch_dims = 1 : i64}> : (tensor<1x6x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<1x4xi32>) -> tensor<1x4x4x!quant.uniform<i8:f32, 1.0:0>>
    return %2 : tensor<1x4x4x!quant.uniform<i8:f32, 1.0:0>>
  }
}
