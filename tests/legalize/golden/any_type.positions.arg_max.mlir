// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xi32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[-1]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.arg_max"(%arg0, %1) <{output_type = "INT32"}> : (tensor<1x4x4x2xf32>, tensor<1xi32>) -> tensor<1x4x4xi32>
    return %2 : tensor<1x4x4xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xi32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.argmax"(%arg0) <{axis = 3 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4xi32>
    return %1 : tensor<1x4x4xi32>
  }
}
