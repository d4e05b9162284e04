// before
module {
  func.func @"main"(%arg0: tensor<1x2x17x1xi1> {tosa.tensor_name = "x0"}, %arg1: tensor<1x2x17x17xf32> {tosa.tensor_name = "x1"}, %arg2: tensor<1x2x17x17xf32> {tosa.tensor_name = "x2"}) -> (tensor<1x2x17x17xf32> {tosa.tensor_name = ""}) {
    %3 = "aten.where.self_out"(%arg0, %arg1, %arg2) : (tensor<1x2x17x1xi1>, tensor<1x2x17x17xf32>, tensor<1x2x17x17xf32>) -> tensor<1x2x17x17xf32>
    return %3 : tensor<1x2x17x17xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x17x1xi1> {tosa.tensor_name = "x0"}, %arg1: tensor<1x2x17x17xf32> {tosa.tensor_name = "x1"}, %arg2: tensor<1x2x17x17xf32> {tosa.tensor_name = "x2"}) -> (tensor<1x2x17x17xf32> {tosa.tensor_name = ""}) {
    %3 = "tosa.select"(%arg0, %arg1, %arg2) : (tensor<1x2x17x1xi1>, tensor<1x2x17x17xf32>, tensor<1x2x17x17xf32>) -> tensor<1x2x17x17xf32>
    return %3 : tensor<1x2x17x17xf32>
  }
}
