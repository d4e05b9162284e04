// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi1> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}, %arg2: tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tfl.select_v2"(%arg0, %arg1, %arg2) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %3 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi1> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}, %arg2: tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tosa.select"(%arg0, %arg1, %arg2) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %3 : tensor<1x4x4x2xf32>
  }
}
