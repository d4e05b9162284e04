// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x1xf32> {tosa.tensor_name = "t2"}, tensor<1x4x4x1xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %2, %3 = "tfl.custom"(%1, %arg0) <{custom_code = "FlexSplit", custom_options = "\05\53\70\6C\69\74\00\1B\12\05\53\70\6C\69\74\1A\01\78\2A\0F\0A\09\6E\75\6D\5F\73\70\6C\69\74\12\02\18\02\00\02\24\1E\14\14\04\28\01"}> : (tensor<i32>, tensor<1x4x4x2xf32>) -> (tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>)
    return %2, %3 : tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x1xf32> {tosa.tensor_name = "t2"}, tensor<1x4x4x1xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x4x1xf32>
    %4 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.slice"(%arg0, %4, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x4x1xf32>
    return %3, %5 : tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>
  }
}
