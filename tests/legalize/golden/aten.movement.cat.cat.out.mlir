// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x6x4xf32> {tosa.tensor_name = "output_7"}) {
    %1 = "aten.cat.out"(%arg0, %arg0) <{dim = 1 : i64}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x6x4xf32>
    return %1 : tensor<2x6x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x6x4xf32> {tosa.tensor_name = "output_7"}) {
    %1 = "tosa.concat"(%arg0, %arg0) <{axis = 1 : i32}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x6x4xf32>
    return %1 : tensor<2x6x4xf32>
  }
}
