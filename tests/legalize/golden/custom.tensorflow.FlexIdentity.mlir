// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.custom"(%arg0) <{custom_code = "FlexIdentity", custom_options = "\08\49\64\65\6E\74\69\74\79\00\0D\12\08\49\64\65\6E\74\69\74\79\1A\01\78\00\02\19\10\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %1 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.identity"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %1 : tensor<1x4x4x2xf32>
  }
}
