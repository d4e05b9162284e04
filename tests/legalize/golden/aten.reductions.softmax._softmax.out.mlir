// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_34"}) {
    %1 = "aten._softmax.out"(%arg0) <{dim = 1 : i64, half_to_float = false}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_34"}) {
    %1 = "tosa.reduce_max"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
    %2 = "tosa.sub"(%arg0, %1) : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
    %3 = "tosa.exp"(%2) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %4 = "tosa.reduce_sum"(%3) <{axis = 1 : i32}> : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
    %5 = "tosa.reciprocal"(%4) : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
    %6 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = "tosa.mul"(%3, %5, %6) : (tensor<2x3x4xf32>, tensor<2x1x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    return %7 : tensor<2x3x4xf32>
  }
}
