// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x6xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_concatenate"(%arg0, %arg1) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
    return %2 : tensor<2x6xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x6xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.concat"(%arg0, %arg1) <{axis = 1 : i32}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
    return %2 : tensor<2x6xf32>
  }
}
