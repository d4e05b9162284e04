// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<i32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.custom"(%arg0) <{custom_code = "FlexRank", custom_options = "\04\52\61\6E\6B\00\09\12\04\52\61\6E\6B\1A\01\78\00\02\11\0C\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<i32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<4> : tensor<i32>}> : () -> tensor<i32>
    return %1 : tensor<i32>
  }
}
