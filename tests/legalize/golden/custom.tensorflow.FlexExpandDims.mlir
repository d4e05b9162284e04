// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "FlexExpandDims", custom_options = "\0A\45\78\70\61\6E\64\44\69\6D\73\00\0F\12\0A\45\78\70\61\6E\64\44\69\6D\73\1A\01\78\00\02\1D\12\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<1xi32>) -> tensor<1x1x4x4x2xf32>
    return %2 : tensor<1x1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 1, 4, 4, 2]> : tensor<5xindex>}> : () -> !tosa.shape<5>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<5>) -> tensor<1x1x4x4x2xf32>
    return %2 : tensor<1x1x4x4x2xf32>
  }
}
