// before
module {
  func.func @"main"(%arg0: tensor<4x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<4x2x2xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.et_view.default"(%arg0) <{size = array<i64: 4, 2, 2>}> : (tensor<4x4xf32>) -> tensor<4x2x2xf32>
    return %1 : tensor<4x2x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<4x2x2xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const_shape"() <{values = dense<[4, 2, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<4x4xf32>, !tosa.shape<3>) -> tensor<4x2x2xf32>
    return %2 : tensor<4x2x2xf32>
  }
}
