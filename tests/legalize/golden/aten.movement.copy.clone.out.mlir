// before
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<3x4xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.clone.out"(%arg0) <{memory_format = "None"}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %1 : tensor<3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<3x4xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.identity"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %1 : tensor<3x4xf32>
  }
}
