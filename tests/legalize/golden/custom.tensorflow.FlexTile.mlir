// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x8x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 2, 1, 1]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "FlexTile", custom_options = "\04\54\69\6C\65\00\09\12\04\54\69\6C\65\1A\01\78\00\02\11\0C\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<4xi32>) -> tensor<1x8x4x2xf32>
    return %2 : tensor<1x8x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x8x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 2, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.tile"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<4>) -> tensor<1x8x4x2xf32>
    return %2 : tensor<1x8x4x2xf32>
  }
}
