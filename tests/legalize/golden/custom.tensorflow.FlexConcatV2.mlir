// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x4xf32> {tosa.tensor_name = "t3"}) {
    %2 = "tfl.pseudo_const"() <{values = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %3 = "tfl.custom"(%arg0, %arg1, %2) <{custom_code = "FlexConcatV2", custom_options = "\08\43\6F\6E\63\61\74\56\32\00\0D\12\08\43\6F\6E\63\61\74\56\32\1A\01\78\00\02\19\10\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<i32>) -> tensor<1x4x4x4xf32>
    return %3 : tensor<1x4x4x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x4xf32> {tosa.tensor_name = "t3"}) {
    %2 = "tosa.concat"(%arg0, %arg1) <{axis = 3 : i32}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x4xf32>
    return %2 : tensor<1x4x4x4xf32>
  }
}
