// before
module {
  func.func @"main"(%arg0: tensor<1x3x1x4xi8> {tosa.tensor_name = "x"}) -> (tensor<12xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 1, 0, 3, 2>}> : (tensor<1x3x1x4xi8>) -> tensor<3x1x4x1xi8>
    %2 = "tosa.const_shape"() <{values = dense<[12]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %3 = "tosa.reshape"(%1, %2) : (tensor<3x1x4x1xi8>, !tosa.shape<1>) -> tensor<12xi8>
    return %3 : tensor<12xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x3x1x4xi8> {tosa.tensor_name = "x"}) -> (tensor<12xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[12]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x3x1x4xi8>, !tosa.shape<1>) -> tensor<12xi8>
    return %2 : tensor<12xi8>
  }
}
