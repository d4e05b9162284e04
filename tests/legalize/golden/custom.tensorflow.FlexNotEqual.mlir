// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "FlexNotEqual", custom_options = "\08\4E\6F\74\45\71\75\61\6C\00\0D\12\08\4E\6F\74\45\71\75\61\6C\1A\01\78\00\02\19\10\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1>
    return %2 : tensor<1x4x4x2xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.equal"(%arg0, %arg1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1>
    %3 = "tosa.logical_not"(%2) : (tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi1>
    return %3 : tensor<1x4x4x2xi1>
  }
}
