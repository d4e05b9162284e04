// before
module {
  func.func @"main"(%arg0: tensor<2x1x30xf16> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30xf16> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30xf16> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.mul"(%arg0, %arg1, %2) : (tensor<2x1x30xf16>, tensor<2x4x30xf16>, tensor<1xi8>) -> tensor<2x4x30xf16>
    return %3 : tensor<2x4x30xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x1x30xf16> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x30xf16> {tosa.tensor_name = "in1"}) -> (tensor<2x4x30xf16> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.cast"(%arg0) : (tensor<2x1x30xf16>) -> tensor<2x1x30xf32>
    %3 = "tfl.cast"(%arg1) : (tensor<2x4x30xf16>) -> tensor<2x4x30xf32>
    %4 = "tfl.mul"(%2, %3) : (tensor<2x1x30xf32>, tensor<2x4x30xf32>) -> tensor<2x4x30xf32>
    %5 = "tfl.cast"(%4) : (tensor<2x4x30xf32>) -> tensor<2x4x30xf16>
    return %5 : tensor<2x4x30xf16>
  }
}
