// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x1x4x2xf32> {tosa.tensor_name = "t3"}, tensor<1x3x4x2xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %3, %4 = "tfl.custom"(%arg0, %1, %2) <{custom_code = "FlexSplitV", custom_options = "\06\53\70\6C\69\74\56\00\1C\12\06\53\70\6C\69\74\56\1A\01\78\2A\0F\0A\09\6E\75\6D\5F\73\70\6C\69\74\12\02\18\02\00\02\26\1F\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<2xi32>, tensor<i32>) -> (tensor<1x1x4x2xf32>, tensor<1x3x4x2xf32>)
    return %3, %4 : tensor<1x1x4x2xf32>, tensor<1x3x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x1x4x2xf32> {tosa.tensor_name = "t3"}, tensor<1x3x4x2xf32> {tosa.tensor_name = "t4"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const_shape"() <{values = dense<[1, 1, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x1x4x2xf32>
    %4 = "tosa.const_shape"() <{values = dense<[0, 1, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.const_shape"() <{values = dense<[1, 3, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %6 = "tosa.slice"(%arg0, %4, %5) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x3x4x2xf32>
    return %3, %6 : tensor<1x1x4x2xf32>, tensor<1x3x4x2xf32>
  }
}
