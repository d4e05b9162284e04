// before
module {
  func.func @"main"(%arg0: tensor<3xf32> {tosa.tensor_name = "t0"}) -> (tensor<3x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.matrix_diag"(%arg0) : (tensor<3xf32>) -> tensor<3x3xf32> loc("main:0 MATRIX_DIAG 't1'")
    return %1 : tensor<3x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3xf32> {tosa.tensor_name = "t0"}) -> (tensor<3x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[3, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 MATRIX_DIAG 't1'")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<3xf32>, !tosa.shape<2>) -> tensor<3x1xf32> loc("main:0 MATRIX_DIAG 't1'")
    %3 = "tosa.const"() <{values = dense<[[true, false, false], [false, true, false], [false, false, true]]> : tensor<3x3xi1>}> : () -> tensor<3x3xi1> loc("main:0 MATRIX_DIAG 't1'")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 MATRIX_DIAG 't1'")
    %5 = "tosa.select"(%3, %2, %4) : (tensor<3x3xi1>, tensor<3x1xf32>, tensor<1x1xf32>) -> tensor<3x3xf32> loc("main:0 MATRIX_DIAG 't1'")
    return %5 : tensor<3x3xf32>
  }
}
