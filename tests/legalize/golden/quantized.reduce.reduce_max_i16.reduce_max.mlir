// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.reduce_max"(%arg0, %1) <{keep_dims = true}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>, tensor<2xi32>) -> tensor<1x1x1x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>
    return %2 : tensor<1x1x1x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2xi16> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.reduce_max"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi16>) -> tensor<1x1x4x2xi16>
    %2 = "tosa.reduce_max"(%1) <{axis = 2 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x4x2xi16>) -> tensor<1x1x1x2xi16>
    return %2 : tensor<1x1x1x2xi16>
  }
}
