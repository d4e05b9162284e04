// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tfl.greater"(%arg0, %1) : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xi1>
    %3 = "tfl.pseudo_const"() <{values = dense<[0.10000000149011612]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tfl.mul"(%arg0, %3) <{fused_activation_function = "NONE"}> : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
    %5 = "tfl.select_v2"(%2, %arg0, %4) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %5 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tosa.const"() <{values = dense<[[0.10000000149011612]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<2x3xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    %4 = "tosa.maximum"(%arg0, %3) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %4 : tensor<2x3xf32>
  }
}
