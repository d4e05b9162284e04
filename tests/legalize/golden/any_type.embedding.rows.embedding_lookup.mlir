// before
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<3x8xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x8xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.embedding_lookup"(%arg0, %arg1) : (tensor<2xi32>, tensor<3x8xf32>) -> tensor<2x8xf32>
    return %2 : tensor<2x8xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<3x8xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x8xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const_shape"() <{values = dense<[1, 3, 8]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg1, %2) : (tensor<3x8xf32>, !tosa.shape<3>) -> tensor<1x3x8xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %5 = "tosa.reshape"(%arg0, %4) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
    %6 = "tosa.gather"(%3, %5) : (tensor<1x3x8xf32>, tensor<1x2xi32>) -> tensor<1x2x8xf32>
    %7 = "tosa.const_shape"() <{values = dense<[2, 8]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %8 = "tosa.reshape"(%6, %7) : (tensor<1x2x8xf32>, !tosa.shape<2>) -> tensor<2x8xf32>
    return %8 : tensor<2x8xf32>
  }
}
