// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.add"(%arg0, %arg1) <{fused_activation_function = "NONE", pot_scale_int16 = true}> : (tensor<1x4x4x2xi16>, tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16>
    return %2 : tensor<1x4x4x2xi16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %3 = "tosa.cast"(%arg1) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %4 = "tosa.add"(%2, %3) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %5 = "tosa.cast"(%4) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi16>
    return %5 : tensor<1x4x4x2xi16>
  }
}
