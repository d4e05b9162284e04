// before
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xi8> {tosa.tensor_name = "x"}) -> (tensor<1x4x3x3xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<sha256 11dab657bf5201ee> : tensor<3x3x3x3xi8>}> : () -> tensor<3x3x3x3xi8>
    %2 = "tosa.const"() <{values = dense<[3, 3, 1]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %3 = "tosa.const"() <{values = dense<[1]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x5x4x3xi8>, tensor<3x3x3x3xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x3x3xi32>
    %6 = "tosa.const"() <{values = dense<[[[[100, -200, 300]]]]> : tensor<1x1x1x3xi32>}> : () -> tensor<1x1x1x3xi32>
    %7 = "tosa.add"(%5, %6) : (tensor<1x4x3x3xi32>, tensor<1x1x1x3xi32>) -> tensor<1x4x3x3xi32>
    return %7 : tensor<1x4x3x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xi8> {tosa.tensor_name = "x"}) -> (tensor<1x4x3x3xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<sha256 11dab657bf5201ee> : tensor<3x3x3x3xi8>}> : () -> tensor<3x3x3x3xi8>
    %2 = "tosa.const"() <{values = dense<[103, -197, 301]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %3 = "tosa.const"() <{values = dense<[1]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x5x4x3xi8>, tensor<3x3x3x3xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x3x3xi32>
    return %5 : tensor<1x4x3x3xi32>
  }
}
