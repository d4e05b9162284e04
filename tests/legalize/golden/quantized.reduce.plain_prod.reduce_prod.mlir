// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xi8> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[3]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.reduce_prod"(%arg0, %1) <{keep_dims = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>) -> tensor<1x4x4xi8>
    return %2 : tensor<1x4x4xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xi8> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[16, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xi8>, !tosa.shape<3>) -> tensor<16x2x1xi8>
    %3 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.const_shape"() <{values = dense<[16, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.slice"(%2, %3, %4) : (tensor<16x2x1xi8>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<16x1x1xi8>
    %6 = "tosa.const_shape"() <{values = dense<[0, 1, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %7 = "tosa.slice"(%2, %6, %4) : (tensor<16x2x1xi8>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<16x1x1xi8>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.mul"(%5, %7, %8) : (tensor<16x1x1xi8>, tensor<16x1x1xi8>, tensor<1xi8>) -> tensor<16x1x1xi32>
    %10 = "tosa.cast"(%9) : (tensor<16x1x1xi32>) -> tensor<16x1x1xi8>
    %11 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %12 = "tosa.reshape"(%10, %11) : (tensor<16x1x1xi8>, !tosa.shape<4>) -> tensor<1x4x4x1xi8>
    %13 = "tosa.const_shape"() <{values = dense<[1, 4, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %14 = "tosa.reshape"(%12, %13) : (tensor<1x4x4x1xi8>, !tosa.shape<3>) -> tensor<1x4x4xi8>
    return %14 : tensor<1x4x4xi8>
  }
}
