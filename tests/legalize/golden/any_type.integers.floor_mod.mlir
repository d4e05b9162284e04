// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.floor_mod"(%arg0, %arg1) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    return %2 : tensor<1x4x4x2xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.intdiv"(%arg0, %arg1) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%2, %arg1, %3) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
    %5 = "tosa.sub"(%arg0, %4) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %6 = "tosa.const"() <{values = dense<[[[[0]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %7 = "tosa.equal"(%5, %6) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi1>
    %8 = "tosa.bitwise_xor"(%5, %arg1) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %9 = "tosa.greater"(%6, %8) : (tensor<1x1x1x1xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi1>
    %10 = "tosa.select"(%9, %arg1, %6) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %11 = "tosa.add"(%5, %10) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %12 = "tosa.select"(%7, %5, %11) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    return %12 : tensor<1x4x4x2xi32>
  }
}
