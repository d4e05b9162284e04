// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "FlexMax", custom_options = "\03\4D\61\78\00\19\12\03\4D\61\78\1A\01\78\2A\0F\0A\09\6B\65\65\70\5F\64\69\6D\73\12\02\28\01\00\02\20\1C\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<2xi32>) -> tensor<1x1x1x2xf32>
    return %2 : tensor<1x1x1x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32>
    %3 = "tosa.reduce_max"(%2) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x16x2xf32>) -> tensor<1x1x2xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 1, 1, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x1x2xf32>, !tosa.shape<4>) -> tensor<1x1x1x2xf32>
    return %5 : tensor<1x1x1x2xf32>
  }
}
