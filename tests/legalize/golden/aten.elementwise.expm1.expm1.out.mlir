// before
module {
  func.func @"main"(%arg0: tensor<2x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.expm1.out"(%arg0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.exp"(%arg0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %2 = "tosa.const"() <{values = dense<[[1.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %3 = "tosa.sub"(%1, %2) : (tensor<2x4xf32>, tensor<1x1xf32>) -> tensor<2x4xf32>
    return %3 : tensor<2x4xf32>
  }
}
