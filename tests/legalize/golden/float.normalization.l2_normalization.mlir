// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.l2_normalization"(%arg0) <{fused_activation_function = "NONE"}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %1 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.mul"(%arg0, %arg0, %1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %3 = "tosa.reduce_sum"(%2) <{axis = 3 : i32}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x1xf32>
    %4 = "tosa.const"() <{values = dense<[[[[9.999999960041972e-13]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %5 = "tosa.maximum"(%3, %4) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x1xf32>
    %6 = "tosa.rsqrt"(%5) : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
    %7 = "tosa.mul"(%arg0, %6, %1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x1xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    return %7 : tensor<1x4x4x2xf32>
  }
}
