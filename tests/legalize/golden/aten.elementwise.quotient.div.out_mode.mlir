// before
module {
  func.func @"main"(%arg0: tensor<2x4xi64> {tosa.tensor_name = "x0"}) -> (tensor<2x4xi64> {tosa.tensor_name = "output_2"}) {
    %1 = "xnn.const"() <{values = dense<2> : tensor<i64>}> : () -> tensor<i64>
    %2 = "aten.div.out_mode"(%arg0, %1) <{rounding_mode = "floor"}> : (tensor<2x4xi64>, tensor<i64>) -> tensor<2x4xi64>
    return %2 : tensor<2x4xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4xi32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xi32> {tosa.tensor_name = "output_2"}) {
    %1 = "tosa.const"() <{values = dense<[[2]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %2 = "tosa.intdiv"(%arg0, %1) : (tensor<2x4xi32>, tensor<1x1xi32>) -> tensor<2x4xi32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%2, %1, %3) : (tensor<2x4xi32>, tensor<1x1xi32>, tensor<1xi8>) -> tensor<2x4xi32>
    %5 = "tosa.sub"(%arg0, %4) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %6 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %7 = "tosa.equal"(%5, %6) : (tensor<2x4xi32>, tensor<1x1xi32>) -> tensor<2x4xi1>
    %8 = "tosa.bitwise_xor"(%5, %1) : (tensor<2x4xi32>, tensor<1x1xi32>) -> tensor<2x4xi32>
    %9 = "tosa.greater"(%6, %8) : (tensor<1x1xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %10 = "tosa.cast"(%9) : (tensor<2x4xi1>) -> tensor<2x4xi32>
    %11 = "tosa.sub"(%2, %10) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %12 = "tosa.select"(%7, %2, %11) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    return %12 : tensor<2x4xi32>
  }
}
