// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.dequantize"(%arg0) : (tensor<1x4x4x2xf16>) -> tensor<1x4x4x2xf32>
    return %1 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xf16>) -> tensor<1x4x4x2xf32>
    return %1 : tensor<1x4x4x2xf32>
  }
}
