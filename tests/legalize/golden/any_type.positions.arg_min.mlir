// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xi32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[-1]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.arg_min"(%arg0, %1) <{output_type = "INT32"}> : (tensor<1x4x4x2xf32>, tensor<1xi32>) -> tensor<1x4x4xi32>
    return %2 : tensor<1x4x4xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xi32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.negate"(%arg0, %1, %1) : (tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
    %3 = "tosa.argmax"(%2) <{axis = 3 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4xi32>
    return %3 : tensor<1x4x4xi32>
  }
}
