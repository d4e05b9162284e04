// before
module {
  func.func @"main"(%arg0: tensor<1x32x3xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x3xi64> {tosa.tensor_name = "output_1"}) {
    %1 = "aten.argmax.out"(%arg0) <{dim = 1 : i64, keepdim = false}> : (tensor<1x32x3xf32>) -> tensor<1x3xi64>
    return %1 : tensor<1x3xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x32x3xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x3xi32> {tosa.tensor_name = "output_1"}) {
    %1 = "tosa.argmax"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x32x3xf32>) -> tensor<1x3xi32>
    return %1 : tensor<1x3xi32>
  }
}
