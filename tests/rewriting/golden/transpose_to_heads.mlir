// before
module {
  func.func @"main"(%arg0: tensor<2x6x2xi8> {tosa.tensor_name = "x"}) -> (tensor<6x1x1x4xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 2, 6, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x6x2xi8>, !tosa.shape<4>) -> tensor<1x2x6x2xi8>
    %3 = "tosa.transpose"(%2) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<1x2x6x2xi8>) -> tensor<1x6x2x2xi8>
    %4 = "tosa.const_shape"() <{values = dense<[6, 1, 1, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x6x2x2xi8>, !tosa.shape<4>) -> tensor<6x1x1x4xi8>
    return %5 : tensor<6x1x1x4xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x6x2xi8> {tosa.tensor_name = "x"}) -> (tensor<6x1x1x4xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 1, 0, 2>}> : (tensor<2x6x2xi8>) -> tensor<6x2x2xi8>
    %2 = "tosa.const_shape"() <{values = dense<[6, 1, 1, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.reshape"(%1, %2) : (tensor<6x2x2xi8>, !tosa.shape<4>) -> tensor<6x1x1x4xi8>
    return %3 : tensor<6x1x1x4xi8>
  }
}
