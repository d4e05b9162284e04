// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x32xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 32]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "FlexReshape", custom_options = "\07\52\65\73\68\61\70\65\00\0C\12\07\52\65\73\68\61\70\65\1A\01\78\00\02\17\0F\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<2xi32>) -> tensor<1x32xf32>
    return %2 : tensor<1x32xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x32xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 32]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    return %2 : tensor<1x32xf32>
  }
}
