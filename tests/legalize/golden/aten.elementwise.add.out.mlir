// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = ""}) {
    %1 = "xnn.const"() <{values = dense<0.10000000149011612> : tensor<f32>}> : () -> tensor<f32>
    %2 = "aten.add.out"(%arg0, %1) <{alpha = 1 : i64}> : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const"() <{values = dense<[[[0.10000000149011612]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %2 = "tosa.add"(%arg0, %1) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
