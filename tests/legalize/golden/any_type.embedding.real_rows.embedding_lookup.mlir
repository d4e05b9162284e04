// before
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}) -> (tensor<2x8xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<sha256 42804216e942e82a> : tensor<3x8xi8>}> : () -> tensor<3x8x!quant.uniform<i8:f32:0, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>>
    %2 = "tfl.embedding_lookup"(%arg0, %1) : (tensor<2xi32>, tensor<3x8x!quant.uniform<i8:f32:0, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>>) -> tensor<2x8xf32>
    return %2 : tensor<2x8xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}) -> (tensor<2x8xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<sha256 42804216e942e82a> : tensor<1x3x8xi8>}> : () -> tensor<1x3x8xi8>
    %2 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
    %4 = "tosa.gather"(%1, %3) : (tensor<1x3x8xi8>, tensor<1x2xi32>) -> tensor<1x2x8xi8>
    %5 = "tosa.const_shape"() <{values = dense<[2, 8]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x2x8xi8>, !tosa.shape<2>) -> tensor<2x8xi8>
    %7 = "tosa.cast"(%6) : (tensor<2x8xi8>) -> tensor<2x8xf32>
    %8 = "tosa.const"() <{values = dense<[[[0.009999999776482582], [0.014999999664723873], [0.019999999552965164]]]> : tensor<1x3x1xf32>}> : () -> tensor<1x3x1xf32>
    %9 = "tosa.reshape"(%arg0, %2) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
    %10 = "tosa.gather"(%8, %9) : (tensor<1x3x1xf32>, tensor<1x2xi32>) -> tensor<1x2x1xf32>
    %11 = "tosa.const_shape"() <{values = dense<[2, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %12 = "tosa.reshape"(%10, %11) : (tensor<1x2x1xf32>, !tosa.shape<2>) -> tensor<2x1xf32>
    %13 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %14 = "tosa.mul"(%7, %12, %13) : (tensor<2x8xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x8xf32>
    return %14 : tensor<2x8xf32>
  }
}
