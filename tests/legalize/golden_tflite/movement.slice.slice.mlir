// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<1x2x2xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 0, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.const_shape"() <{values = dense<[1, 2, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<2x3x4xi1>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x2x2xi1>
    return %3 : tensor<1x2x2xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "in0"}) -> (tensor<1x2x2xi1> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 0, 2]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<[1, 2, 2]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %3 = "tfl.slice"(%arg0, %1, %2) : (tensor<2x3x4xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x2x2xi1>
    return %3 : tensor<1x2x2xi1>
  }
}
