// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = "output_19"}) {
    %1 = "aten.var.correction_out"(%arg0) <{dim = array<i64: 1>, correction = 1 : i64, keepdim = false}> : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = "output_19"}) {
    %1 = "tosa.reduce_sum"(%arg0) <{axis = 1 : i32}> : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
    %2 = "tosa.const"() <{values = dense<[[[0.3333333432674408]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%1, %2, %3) : (tensor<2x1x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x4xf32>
    %5 = "tosa.sub"(%arg0, %4) : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
    %6 = "tosa.mul"(%5, %5, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %7 = "tosa.reduce_sum"(%6) <{axis = 1 : i32}> : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
    %8 = "tosa.const"() <{values = dense<[[[0.5]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %9 = "tosa.mul"(%7, %8, %3) : (tensor<2x1x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x4xf32>
    %10 = "tosa.const_shape"() <{values = dense<[2, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %11 = "tosa.reshape"(%9, %10) : (tensor<2x1x4xf32>, !tosa.shape<2>) -> tensor<2x4xf32>
    return %11 : tensor<2x4xf32>
  }
}
