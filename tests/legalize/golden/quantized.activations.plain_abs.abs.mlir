// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.abs"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16>
    return %1 : tensor<1x4x4x2xi16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %2 = "tosa.abs"(%1) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %3 = "tosa.cast"(%2) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi16>
    return %3 : tensor<1x4x4x2xi16>
  }
}
