// before
module {
  func.func @"main"(%arg0: tensor<3x5x7xf16> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reciprocal"(%arg0) : (tensor<3x5x7xf16>) -> tensor<3x5x7xf16> loc("")
    return %1 : tensor<3x5x7xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x5x7xf16> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<3x5x7xf16>) -> tensor<3x5x7xf32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x0000803F"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %3 = "tfl.div"(%2, %1) : (tensor<f32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %4 = "tfl.cast"(%3) : (tensor<3x5x7xf32>) -> tensor<3x5x7xf16> loc("")
    return %4 : tensor<3x5x7xf16>
  }
}
