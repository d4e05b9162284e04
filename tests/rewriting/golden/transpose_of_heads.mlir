// before
module {
  func.func @"main"(%arg0: tensor<6x1x1x4xi8> {tosa.tensor_name = "x"}) -> (tensor<2x2x6xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 6, 2, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<6x1x1x4xi8>, !tosa.shape<4>) -> tensor<1x6x2x2xi8>
    %3 = "tosa.transpose"(%2) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x6x2x2xi8>) -> tensor<1x2x2x6xi8>
    %4 = "tosa.const_shape"() <{values = dense<[2, 2, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x2x2x6xi8>, !tosa.shape<3>) -> tensor<2x2x6xi8>
    return %5 : tensor<2x2x6xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<6x1x1x4xi8> {tosa.tensor_name = "x"}) -> (tensor<2x2x6xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[6, 2, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<6x1x1x4xi8>, !tosa.shape<3>) -> tensor<6x2x2xi8>
    %3 = "tosa.transpose"(%2) <{perms = array<i32: 1, 2, 0>}> : (tensor<6x2x2xi8>) -> tensor<2x2x6xi8>
    return %3 : tensor<2x2x6xi8>
  }
}
