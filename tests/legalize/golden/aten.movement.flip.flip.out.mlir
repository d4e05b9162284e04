// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_12"}) {
    %1 = "aten.flip.out"(%arg0) <{dims = array<i64: 1, 2>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_12"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 1 : i32}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %2 = "tosa.reverse"(%1) <{axis = 2 : i32}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
