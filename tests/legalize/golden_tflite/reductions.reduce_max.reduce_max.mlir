// before
module {
  func.func @"main"(%arg0: tensor<4x5x6xi8> {tosa.tensor_name = "in0"}) -> (tensor<1x5x6xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reduce_max"(%arg0) <{axis = 0 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x5x6xi8>) -> tensor<1x5x6xi8>
    return %1 : tensor<1x5x6xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x5x6x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<1x5x6x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.reduce_max"(%arg0, %1) <{keep_dims = true}> : (tensor<4x5x6x!quant.uniform<i8:f32, 1.0:0>>, tensor<1xi32>) -> tensor<1x5x6x!quant.uniform<i8:f32, 1.0:0>>
    return %2 : tensor<1x5x6x!quant.uniform<i8:f32, 1.0:0>>
  }
}
