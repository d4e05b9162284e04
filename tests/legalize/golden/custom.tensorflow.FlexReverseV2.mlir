// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "FlexReverseV2", custom_options = "\09\52\65\76\65\72\73\65\56\32\00\0E\12\09\52\65\76\65\72\73\65\56\32\1A\01\78\00\02\1B\11\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<1xi32>) -> tensor<1x4x4x2xf32>
    return %2 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 1 : i32}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %1 : tensor<1x4x4x2xf32>
  }
}
