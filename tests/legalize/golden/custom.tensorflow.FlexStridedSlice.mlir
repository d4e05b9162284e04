// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x4x2xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[0, 0, 0, 0]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<[1, 4, 4, 2]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %3 = "tfl.pseudo_const"() <{values = dense<[1, 2, 1, 1]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %4 = "tfl.custom"(%arg0, %1, %2, %3) <{custom_code = "FlexStridedSlice", custom_options = "\0C\53\74\72\69\64\65\64\53\6C\69\63\65\00\11\12\0C\53\74\72\69\64\65\64\53\6C\69\63\65\1A\01\78\00\02\21\14\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<1x2x4x2xf32>
    return %4 : tensor<1x2x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x4x2xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 2, 2, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<4>) -> tensor<1x2x2x8xf32>
    %3 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %4 = "tosa.const_shape"() <{values = dense<[1, 2, 1, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.slice"(%2, %3, %4) : (tensor<1x2x2x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x2x1x8xf32>
    %6 = "tosa.const_shape"() <{values = dense<[1, 2, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %7 = "tosa.reshape"(%5, %6) : (tensor<1x2x1x8xf32>, !tosa.shape<4>) -> tensor<1x2x4x2xf32>
    return %7 : tensor<1x2x4x2xf32>
  }
}
