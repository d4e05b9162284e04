// before
module {
  func.func @"main"(%arg0: tensor<2x6xi8> {tosa.tensor_name = "x"}) -> (tensor<12xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[3, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x6xi8>, !tosa.shape<2>) -> tensor<3x4xi8>
    %3 = "tosa.const_shape"() <{values = dense<[12]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %4 = "tosa.reshape"(%2, %3) : (tensor<3x4xi8>, !tosa.shape<1>) -> tensor<12xi8>
    return %4 : tensor<12xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x6xi8> {tosa.tensor_name = "x"}) -> (tensor<12xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[12]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x6xi8>, !tosa.shape<1>) -> tensor<12xi8>
    return %2 : tensor<12xi8>
  }
}
