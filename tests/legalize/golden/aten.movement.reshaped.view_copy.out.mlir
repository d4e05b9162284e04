// before
module {
  func.func @"main"(%arg0: tensor<f32> {tosa.tensor_name = "x0"}) -> (tensor<1xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.view_copy.out"(%arg0) <{size = array<i64: 1>}> : (tensor<f32>) -> tensor<1xf32>
    return %1 : tensor<1xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<f32> {tosa.tensor_name = "x0"}) -> (tensor<1xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const_shape"() <{values = dense<[1]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<f32>, !tosa.shape<1>) -> tensor<1xf32>
    return %2 : tensor<1xf32>
  }
}
