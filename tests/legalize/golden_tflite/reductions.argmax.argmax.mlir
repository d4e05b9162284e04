// before
module {
  func.func @"main"(%arg0: tensor<4x5x6xi8> {tosa.tensor_name = "in0"}) -> (tensor<5x6xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.argmax"(%arg0) <{axis = 0 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x5x6xi8>) -> tensor<5x6xi32>
    return %1 : tensor<5x6xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x5x6x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<5x6xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "tfl.arg_max"(%arg0, %1) <{output_type = "INT32"}> : (tensor<4x5x6x!quant.uniform<i8:f32, 1.0:0>>, tensor<i32>) -> tensor<5x6xi32>
    return %2 : tensor<5x6xi32>
  }
}
