// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<6x4xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "aten.view_copy.out"(%arg0) <{size = array<i64: 6, 4>}> : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
    return %1 : tensor<6x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<6x4xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[6, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<6x4xf32>
    return %2 : tensor<6x4xf32>
  }
}
