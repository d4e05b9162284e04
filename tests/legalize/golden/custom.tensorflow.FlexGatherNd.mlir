// before
module {
  func.func @"main"(%arg0: tensor<4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[0, 1], [3, 1]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "FlexGatherNd", custom_options = "\08\47\61\74\68\65\72\4E\64\00\0D\12\08\47\61\74\68\65\72\4E\64\1A\01\78\00\02\19\10\14\14\04\28\01"}> : (tensor<4x4x2xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32>
    %3 = "tosa.const"() <{values = dense<[[1, 13]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %4 = "tosa.gather"(%2, %3) : (tensor<1x16x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>
    %5 = "tosa.const_shape"() <{values = dense<[2, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x2x2xf32>, !tosa.shape<2>) -> tensor<2x2xf32>
    return %6 : tensor<2x2xf32>
  }
}
