// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[-1.5]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tfl.maximum"(%arg0, %1) : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
    %3 = "tfl.pseudo_const"() <{values = dense<[2.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tfl.minimum"(%2, %3) : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
    return %4 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = 0xBFC00000 : f32, max_val = 0x40000000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
