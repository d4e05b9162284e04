// before
module {
  func.func @"main"(%arg0: tensor<2x4xi64> {tosa.tensor_name = "x0"}) -> (tensor<2x4xi64> {tosa.tensor_name = "output_5"}) {
    %1 = "aten.bitwise_or.Scalar_out"(%arg0) <{other = 5 : i64}> : (tensor<2x4xi64>) -> tensor<2x4xi64>
    return %1 : tensor<2x4xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4xi32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xi32> {tosa.tensor_name = "output_5"}) {
    %1 = "tosa.const"() <{values = dense<[[5]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %2 = "tosa.bitwise_or"(%arg0, %1) : (tensor<2x4xi32>, tensor<1x1xi32>) -> tensor<2x4xi32>
    return %2 : tensor<2x4xi32>
  }
}
