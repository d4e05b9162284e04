// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.custom"(%arg0) <{custom_code = "FlexSqueeze", custom_options = "\07\53\71\75\65\65\7A\65\00\23\12\07\53\71\75\65\65\7A\65\1A\01\78\2A\15\0A\0C\73\71\75\65\65\7A\65\5F\64\69\6D\73\12\05\0A\03\1A\01\00\00\02\2E\26\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>) -> tensor<4x4x2xf32>
    return %1 : tensor<4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[4, 4, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<4x4x2xf32>
    return %2 : tensor<4x4x2xf32>
  }
}
