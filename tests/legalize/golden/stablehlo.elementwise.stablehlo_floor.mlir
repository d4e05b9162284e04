// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.stablehlo_floor"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.floor"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
