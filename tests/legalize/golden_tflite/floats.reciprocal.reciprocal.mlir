// before
module {
  func.func @"main"(%arg0: tensor<3x5x7xf16> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reciprocal"(%arg0) : (tensor<3x5x7xf16>) -> tensor<3x5x7xf16>
    return %1 : tensor<3x5x7xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x5x7xf16> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %2 = "tfl.cast"(%arg0) : (tensor<3x5x7xf16>) -> tensor<3x5x7xf32>
    %3 = "tfl.div"(%1, %2) : (tensor<f32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %4 = "tfl.cast"(%3) : (tensor<3x5x7xf32>) -> tensor<3x5x7xf16>
    return %4 : tensor<3x5x7xf16>
  }
}
