// before
module {
  func.func @"main"(%arg0: tensor<2x4xi64> {tosa.tensor_name = "x0"}) -> (tensor<2x4xi64> {tosa.tensor_name = "output_3"}) {
    %1 = "aten.remainder.Scalar_out"(%arg0) <{other = 3 : i64}> : (tensor<2x4xi64>) -> tensor<2x4xi64>
    return %1 : tensor<2x4xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4xi32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xi32> {tosa.tensor_name = "output_3"}) {
    %1 = "tosa.const"() <{values = dense<[[3]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %2 = "tosa.intdiv"(%arg0, %1) : (tensor<2x4xi32>, tensor<1x1xi32>) -> tensor<2x4xi32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%2, %1, %3) : (tensor<2x4xi32>, tensor<1x1xi32>, tensor<1xi8>) -> tensor<2x4xi32>
    %5 = "tosa.sub"(%arg0, %4) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    return %5 : tensor<2x4xi32>
  }
}
