// before
module {
  func.func @"main"(%arg0: tensor<4x9xf16> {tosa.tensor_name = "in0"}, %arg1: tensor<4x9xf16> {tosa.tensor_name = "in1"}) -> (tensor<4x9xf16> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.pow"(%arg0, %arg1) : (tensor<4x9xf16>, tensor<4x9xf16>) -> tensor<4x9xf16>
    return %2 : tensor<4x9xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x9xf16> {tosa.tensor_name = "in0"}, %arg1: tensor<4x9xf16> {tosa.tensor_name = "in1"}) -> (tensor<4x9xf16> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.cast"(%arg0) : (tensor<4x9xf16>) -> tensor<4x9xf32>
    %3 = "tfl.cast"(%arg1) : (tensor<4x9xf16>) -> tensor<4x9xf32>
    %4 = "tfl.pow"(%2, %3) : (tensor<4x9xf32>, tensor<4x9xf32>) -> tensor<4x9xf32>
    %5 = "tfl.cast"(%4) : (tensor<4x9xf32>) -> tensor<4x9xf16>
    return %5 : tensor<4x9xf16>
  }
}
