// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xf32> {tosa.tensor_name = "t1"}, tensor<1x4x4xf32> {tosa.tensor_name = "t2"}) {
    %1, %2 = "tfl.custom"(%arg0) <{custom_code = "FlexUnpack", custom_options = "\06\55\6E\70\61\63\6B\00\22\12\06\55\6E\70\61\63\6B\1A\01\78\2A\09\0A\03\6E\75\6D\12\02\18\02\2A\0A\0A\04\61\78\69\73\12\02\18\03\00\02\2C\25\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>) -> (tensor<1x4x4xf32>, tensor<1x4x4xf32>)
    return %1, %2 : tensor<1x4x4xf32>, tensor<1x4x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xf32> {tosa.tensor_name = "t1"}, tensor<1x4x4xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x4x1xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 4, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x4x4x1xf32>, !tosa.shape<3>) -> tensor<1x4x4xf32>
    %6 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %7 = "tosa.slice"(%arg0, %6, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x4x1xf32>
    %8 = "tosa.reshape"(%7, %4) : (tensor<1x4x4x1xf32>, !tosa.shape<3>) -> tensor<1x4x4xf32>
    return %5, %8 : tensor<1x4x4xf32>, tensor<1x4x4xf32>
  }
}
