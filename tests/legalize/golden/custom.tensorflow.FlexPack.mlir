// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "FlexPack", custom_options = "\04\50\61\63\6B\00\1E\12\04\50\61\63\6B\1A\01\78\2A\07\0A\01\4E\12\02\18\02\2A\0A\0A\04\61\78\69\73\12\02\18\00\00\02\26\21\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<2x1x4x4x2xf32>
    return %2 : tensor<2x1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.concat"(%arg0, %arg1) <{axis = 0 : i32}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<2x4x4x2xf32>
    %3 = "tosa.const_shape"() <{values = dense<[2, 1, 4, 4, 2]> : tensor<5xindex>}> : () -> !tosa.shape<5>
    %4 = "tosa.reshape"(%2, %3) : (tensor<2x4x4x2xf32>, !tosa.shape<5>) -> tensor<2x1x4x4x2xf32>
    return %4 : tensor<2x1x4x4x2xf32>
  }
}
