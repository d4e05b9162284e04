// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "FlexCumsum", custom_options = "\06\43\75\6D\73\75\6D\00\1C\12\06\43\75\6D\73\75\6D\1A\01\78\2A\0F\0A\09\65\78\63\6C\75\73\69\76\65\12\02\28\01\00\02\26\1F\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<1xi32>) -> tensor<1x4x4x2xf32>
    return %2 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const_shape"() <{values = dense<[1, 3, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x3x4x2xf32>
    %4 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 0, 0, 0, 0, 0]> : tensor<8xindex>}> : () -> !tosa.shape<8>
    %5 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %6 = "tosa.pad"(%3, %4, %5) : (tensor<1x3x4x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
    %7 = "tosa.slice"(%6, %1, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x3x4x2xf32>
    %8 = "tosa.pad"(%7, %4, %5) : (tensor<1x3x4x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
    %9 = "tosa.add"(%6, %8) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %10 = "tosa.const_shape"() <{values = dense<[1, 2, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %11 = "tosa.slice"(%9, %1, %10) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x2x4x2xf32>
    %12 = "tosa.const_shape"() <{values = dense<[0, 0, 2, 0, 0, 0, 0, 0]> : tensor<8xindex>}> : () -> !tosa.shape<8>
    %13 = "tosa.pad"(%11, %12, %5) : (tensor<1x2x4x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
    %14 = "tosa.add"(%9, %13) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %14 : tensor<1x4x4x2xf32>
  }
}
