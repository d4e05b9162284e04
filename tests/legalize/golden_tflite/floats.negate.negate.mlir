// before
module {
  func.func @"main"(%arg0: tensor<3x50xf16> {tosa.tensor_name = "in0"}) -> (tensor<3x50xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %2 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %3 = "tosa.negate"(%arg0, %1, %2) : (tensor<3x50xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<3x50xf16>
    return %3 : tensor<3x50xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x50xf16> {tosa.tensor_name = "in0"}) -> (tensor<3x50xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<3x50xf16>) -> tensor<3x50xf32>
    %2 = "tfl.neg"(%1) : (tensor<3x50xf32>) -> tensor<3x50xf32>
    %3 = "tfl.cast"(%2) : (tensor<3x50xf32>) -> tensor<3x50xf16>
    return %3 : tensor<3x50xf16>
  }
}
