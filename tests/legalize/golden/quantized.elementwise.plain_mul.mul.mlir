// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.mul"(%arg0, %arg1) <{fused_activation_function = "NONE"}> : (tensor<1x4x4x2xi16>, tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16>
    return %2 : tensor<1x4x4x2xi16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.mul"(%arg0, %arg1, %2) : (tensor<1x4x4x2xi16>, tensor<1x4x4x2xi16>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
    %4 = "tosa.cast"(%3) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi16>
    return %4 : tensor<1x4x4x2xi16>
  }
}
