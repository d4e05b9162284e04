// before
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<3x4xi32> {tosa.tensor_name = "output_1"}) {
    %1 = "aten._to_copy.out"(%arg0) <{non_blocking = false, memory_format = "None"}> : (tensor<3x4xf32>) -> tensor<3x4xi32>
    return %1 : tensor<3x4xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<3x4xi32> {tosa.tensor_name = "output_1"}) {
    %1 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %2 = "tosa.greater_equal"(%arg0, %1) : (tensor<3x4xf32>, tensor<1x1xf32>) -> tensor<3x4xi1>
    %3 = "tosa.floor"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %4 = "tosa.ceil"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %5 = "tosa.select"(%2, %3, %4) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %6 = "tosa.cast"(%5) : (tensor<3x4xf32>) -> tensor<3x4xi32>
    return %6 : tensor<3x4xi32>
  }
}
