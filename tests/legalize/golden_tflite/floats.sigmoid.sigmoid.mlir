// before
module {
  func.func @"main"(%arg0: tensor<3x5x7xf16> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.sigmoid"(%arg0) : (tensor<3x5x7xf16>) -> tensor<3x5x7xf16>
    return %1 : tensor<3x5x7xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x5x7xf16> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<3x5x7xf16>) -> tensor<3x5x7xf32>
    %2 = "tfl.logistic"(%1) : (tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %3 = "tfl.cast"(%2) : (tensor<3x5x7xf32>) -> tensor<3x5x7xf16>
    return %3 : tensor<3x5x7xf16>
  }
}
