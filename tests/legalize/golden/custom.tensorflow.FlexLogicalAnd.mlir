// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi1> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi1> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "FlexLogicalAnd", custom_options = "\0A\4C\6F\67\69\63\61\6C\41\6E\64\00\0F\12\0A\4C\6F\67\69\63\61\6C\41\6E\64\1A\01\78\00\02\1D\12\14\14\04\28\01"}> : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi1>
    return %2 : tensor<1x4x4x2xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi1> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi1> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.logical_and"(%arg0, %arg1) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi1>
    return %2 : tensor<1x4x4x2xi1>
  }
}
