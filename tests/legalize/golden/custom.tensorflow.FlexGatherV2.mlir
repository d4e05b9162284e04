// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x2x2xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %3 = "tfl.custom"(%arg0, %1, %2) <{custom_code = "FlexGatherV2", custom_options = "\08\47\61\74\68\65\72\56\32\00\0D\12\08\47\61\74\68\65\72\56\32\1A\01\78\00\02\19\10\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<2xi32>, tensor<i32>) -> tensor<1x4x2x2xf32>
    return %3 : tensor<1x4x2x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x2x2xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[4, 4, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<4x4x2xf32>
    %3 = "tosa.const"() <{values = dense<[[1, 0], [1, 0], [1, 0], [1, 0]]> : tensor<4x2xi32>}> : () -> tensor<4x2xi32>
    %4 = "tosa.gather"(%2, %3) : (tensor<4x4x2xf32>, tensor<4x2xi32>) -> tensor<4x2x2xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 4, 2, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %6 = "tosa.reshape"(%4, %5) : (tensor<4x2x2xf32>, !tosa.shape<4>) -> tensor<1x4x2x2xf32>
    return %6 : tensor<1x4x2x2xf32>
  }
}
