// before
module {
  func.func @"main"(%arg0: tensor<2x3x7xf16> {tosa.tensor_name = "in0"}, %arg1: tensor<2x7x5xf16> {tosa.tensor_name = "in1"}) -> (tensor<2x3x5xf16> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf16>}> : () -> tensor<1xf16>
    %4 = "tosa.matmul"(%arg0, %arg1, %2, %3) : (tensor<2x3x7xf16>, tensor<2x7x5xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x3x5xf16>
    return %4 : tensor<2x3x5xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x7xf16> {tosa.tensor_name = "in0"}, %arg1: tensor<2x7x5xf16> {tosa.tensor_name = "in1"}) -> (tensor<2x3x5xf16> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.cast"(%arg0) : (tensor<2x3x7xf16>) -> tensor<2x3x7xf32>
    %3 = "tfl.cast"(%arg1) : (tensor<2x7x5xf16>) -> tensor<2x7x5xf32>
    %4 = "tfl.batch_matmul"(%2, %3) : (tensor<2x3x7xf32>, tensor<2x7x5xf32>) -> tensor<2x3x5xf32>
    %5 = "tfl.cast"(%4) : (tensor<2x3x5xf32>) -> tensor<2x3x5xf16>
    return %5 : tensor<2x3x5xf16>
  }
}
