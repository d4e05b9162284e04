// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "aten._log_softmax.out"(%arg0) <{dim = -1 : i64, half_to_float = false}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "tosa.reduce_max"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %2 = "tosa.sub"(%arg0, %1) : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
    %3 = "tosa.exp"(%2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %4 = "tosa.reduce_sum"(%3) <{axis = 1 : i32}> : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %5 = "tosa.log"(%4) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %6 = "tosa.sub"(%2, %5) : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
    return %6 : tensor<2x3xf32>
  }
}
