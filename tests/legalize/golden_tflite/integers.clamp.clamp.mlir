// before
module {
  func.func @"main"(%arg0: tensor<4x30xi8> {tosa.tensor_name = "in0"}) -> (tensor<4x30xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = -100 : i8, max_val = 90 : i8, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x30xi8>) -> tensor<4x30xi8>
    return %1 : tensor<4x30xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<4x30x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<-100> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 1.0:0>>
    %2 = "tfl.maximum"(%arg0, %1) : (tensor<4x30x!quant.uniform<i8:f32, 1.0:0>>, tensor<!quant.uniform<i8:f32, 1.0:0>>) -> tensor<4x30x!quant.uniform<i8:f32, 1.0:0>>
    %3 = "tfl.pseudo_const"() <{values = dense<90> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 1.0:0>>
    %4 = "tfl.minimum"(%2, %3) : (tensor<4x30x!quant.uniform<i8:f32, 1.0:0>>, tensor<!quant.uniform<i8:f32, 1.0:0>>) -> tensor<4x30x!quant.uniform<i8:f32, 1.0:0>>
    return %4 : tensor<4x30x!quant.uniform<i8:f32, 1.0:0>>
  }
}
