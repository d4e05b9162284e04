// before
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.hardswish"(%arg0) <{flags = 0 : i64}> : (tensor<3x9xf32>) -> tensor<3x9xf32>
    return %1 : tensor<3x9xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<[[3.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %2 = "tosa.add"(%arg0, %1) : (tensor<3x9xf32>, tensor<1x1xf32>) -> tensor<3x9xf32>
    %3 = "tosa.clamp"(%2) <{min_val = 0x00000000 : f32, max_val = 0x40C00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<3x9xf32>) -> tensor<3x9xf32>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.mul"(%arg0, %3, %4) : (tensor<3x9xf32>, tensor<3x9xf32>, tensor<1xi8>) -> tensor<3x9xf32>
    %6 = "tosa.const"() <{values = dense<[[0.1666666716337204]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %7 = "tosa.mul"(%5, %6, %4) : (tensor<3x9xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<3x9xf32>
    return %7 : tensor<3x9xf32>
  }
}
