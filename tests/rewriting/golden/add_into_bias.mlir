// before
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xi8> {tosa.tensor_name = "x"}) -> (tensor<1x4x3x3xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<3x3x3x3xi8>}> : () -> tensor<3x3x3x3xi8> loc("")
    %2 = "tosa.const"() <{values = dense<"0x030000000300000001000000"> : tensor<3xi32>}> : () -> tensor<3xi32> loc("")
    %3 = "tosa.const"() <{values = dense<"0x01"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %4 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %5 = "tosa.conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x5x4x3xi8>, tensor<3x3x3x3xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x3x3xi32> loc("")
    %6 = "tosa.const"() <{values = dense<"0x6400000038FFFFFF2C010000"> : tensor<1x1x1x3xi32>}> : () -> tensor<1x1x1x3xi32> loc("")
    %7 = "tosa.add"(%5, %6) : (tensor<1x4x3x3xi32>, tensor<1x1x1x3xi32>) -> tensor<1x4x3x3xi32> loc("")
    return %7 : tensor<1x4x3x3xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x5x4x3xi8> {tosa.tensor_name = "x"}) -> (tensor<1x4x3x3xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<3x3x3x3xi8>}> : () -> tensor<3x3x3x3xi8> loc("")
    %2 = "tosa.const"() <{values = dense<"0x670000003BFFFFFF2D010000"> : tensor<3xi32>}> : () -> tensor<3xi32> loc("")
    %3 = "tosa.const"() <{values = dense<"0x01"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %4 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %5 = "tosa.conv2d"(%arg0, %1, %2, %3, %4) <{pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32, local_bound = false}> : (tensor<1x5x4x3xi8>, tensor<3x3x3x3xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x3x3xi32> loc("")
    return %5 : tensor<1x4x3x3xi32>
  }
}
