// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "FlexDiv", custom_options = "\03\44\69\76\00\08\12\03\44\69\76\1A\01\78\00\02\0F\0B\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %2 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.reciprocal"(%arg1) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%arg0, %2, %3) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    return %4 : tensor<1x4x4x2xf32>
  }
}
