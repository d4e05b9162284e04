// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.cast"(%arg0) <{in_data_type = "FLOAT32", out_data_type = "FLOAT32"}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi32>
    return %1 : tensor<1x4x4x2xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[[[[0.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %2 = "tosa.greater_equal"(%arg0, %1) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xi1>
    %3 = "tosa.floor"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %4 = "tosa.ceil"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %5 = "tosa.select"(%2, %3, %4) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %6 = "tosa.cast"(%5) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi32>
    return %6 : tensor<1x4x4x2xi32>
  }
}
