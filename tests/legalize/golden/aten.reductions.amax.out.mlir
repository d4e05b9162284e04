// before
module {
  func.func @"main"(%arg0: tensor<1x32x3xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x3xf32> {tosa.tensor_name = "output_2"}) {
    %1 = "aten.amax.out"(%arg0) <{dim = array<i64: 1>, keepdim = false}> : (tensor<1x32x3xf32>) -> tensor<1x3xf32>
    return %1 : tensor<1x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x32x3xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x3xf32> {tosa.tensor_name = "output_2"}) {
    %1 = "tosa.reduce_max"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x32x3xf32>) -> tensor<1x1x3xf32>
    %2 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.reshape"(%1, %2) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    return %3 : tensor<1x3xf32>
  }
}
