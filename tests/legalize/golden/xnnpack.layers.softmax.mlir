// before
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.softmax"(%arg0) <{flags = 0 : i64}> : (tensor<3x9xf32>) -> tensor<3x9xf32>
    return %1 : tensor<3x9xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.reduce_max"(%arg0) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<3x9xf32>) -> tensor<3x1xf32>
    %2 = "tosa.sub"(%arg0, %1) : (tensor<3x9xf32>, tensor<3x1xf32>) -> tensor<3x9xf32>
    %3 = "tosa.exp"(%2) : (tensor<3x9xf32>) -> tensor<3x9xf32>
    %4 = "tosa.reduce_sum"(%3) <{axis = 1 : i32}> : (tensor<3x9xf32>) -> tensor<3x1xf32>
    %5 = "tosa.reciprocal"(%4) : (tensor<3x1xf32>) -> tensor<3x1xf32>
    %6 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = "tosa.mul"(%3, %5, %6) : (tensor<3x9xf32>, tensor<3x1xf32>, tensor<1xi8>) -> tensor<3x9xf32>
    return %7 : tensor<3x9xf32>
  }
}
