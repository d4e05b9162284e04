// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<4xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.custom"(%arg0) <{custom_code = "FlexShape", custom_options = "\05\53\68\61\70\65\00\0A\12\05\53\68\61\70\65\1A\01\78\00\02\13\0D\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<4xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[1, 4, 4, 2]> : tensor<4xi32>}> : () -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
}
