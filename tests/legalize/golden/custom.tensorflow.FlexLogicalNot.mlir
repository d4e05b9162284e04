// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi1> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.custom"(%arg0) <{custom_code = "FlexLogicalNot", custom_options = "\0A\4C\6F\67\69\63\61\6C\4E\6F\74\00\0F\12\0A\4C\6F\67\69\63\61\6C\4E\6F\74\1A\01\78\00\02\1D\12\14\14\04\28\01"}> : (tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi1>
    return %1 : tensor<1x4x4x2xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi1> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.logical_not"(%arg0) : (tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi1>
    return %1 : tensor<1x4x4x2xi1>
  }
}
