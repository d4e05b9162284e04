// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[0, 2, 1, 3]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "FlexTranspose", custom_options = "\09\54\72\61\6E\73\70\6F\73\65\00\0E\12\09\54\72\61\6E\73\70\6F\73\65\1A\01\78\00\02\1B\11\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<4xi32>) -> tensor<1x4x4x2xf32>
    return %2 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %1 : tensor<1x4x4x2xf32>
  }
}
