// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "FlexSquaredDifference", custom_options = "\11\53\71\75\61\72\65\64\44\69\66\66\65\72\65\6E\63\65\00\16\12\11\53\71\75\61\72\65\64\44\69\66\66\65\72\65\6E\63\65\1A\01\78\00\02\2B\19\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %2 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.sub"(%arg0, %arg1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%2, %2, %3) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    return %4 : tensor<1x4x4x2xf32>
  }
}
