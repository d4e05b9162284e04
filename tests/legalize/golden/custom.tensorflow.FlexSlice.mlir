// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x4x2xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[0, 1, 0, 0]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<[1, 2, -1, 2]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %3 = "tfl.custom"(%arg0, %1, %2) <{custom_code = "FlexSlice", custom_options = "\05\53\6C\69\63\65\00\0A\12\05\53\6C\69\63\65\1A\01\78\00\02\13\0D\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<4xi32>, tensor<4xi32>) -> tensor<1x2x4x2xf32>
    return %3 : tensor<1x2x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x4x2xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 1, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const_shape"() <{values = dense<[1, 2, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x2x4x2xf32>
    return %3 : tensor<1x2x4x2xf32>
  }
}
