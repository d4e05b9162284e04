// before
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}) -> (tensor<2x8xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<3x8xi8>}> : () -> tensor<3x8x!quant.uniform<i8:f32:0, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.embedding_lookup"(%arg0, %1) : (tensor<2xi32>, tensor<3x8x!quant.uniform<i8:f32:0, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>>) -> tensor<2x8xf32> loc("main:0 EMBEDDING_LOOKUP 't2'")
    return %2 : tensor<2x8xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}) -> (tensor<2x8xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 EMBEDDING_LOOKUP 't2'")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32> loc("main:0 EMBEDDING_LOOKUP 't2'")
    %3 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x3x8xi8>}> : () -> tensor<1x3x8xi8> loc("main:0 EMBEDDING_LOOKUP 't2'")
    %4 = "tosa.gather"(%3, %2) : (tensor<1x3x8xi8>, tensor<1x2xi32>) -> tensor<1x2x8xi8> loc("main:0 EMBEDDING_LOOKUP 't2'")
    %5 = "tosa.const_shape"() <{values = dense<[2, 8]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 EMBEDDING_LOOKUP 't2'")
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x2x8xi8>, !tosa.shape<2>) -> tensor<2x8xi8> loc("main:0 EMBEDDING_LOOKUP 't2'")
    %7 = "tosa.cast"(%6) : (tensor<2x8xi8>) -> tensor<2x8xf32> loc("main:0 EMBEDDING_LOOKUP 't2'")
    %8 = "tosa.reshape"(%arg0, %1) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32> loc("main:0 EMBEDDING_LOOKUP 't2'")
    %9 = "tosa.const"() <{values = dense<"0x0AD7233C8FC2753C0AD7A33C"> : tensor<1x3x1xf32>}> : () -> tensor<1x3x1xf32> loc("main:0 EMBEDDING_LOOKUP 't2'")
    %10 = "tosa.gather"(%9, %8) : (tensor<1x3x1xf32>, tensor<1x2xi32>) -> tensor<1x2x1xf32> loc("main:0 EMBEDDING_LOOKUP 't2'")
    %11 = "tosa.const_shape"() <{values = dense<[2, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 EMBEDDING_LOOKUP 't2'")
    %12 = "tosa.reshape"(%10, %11) : (tensor<1x2x1xf32>, !tosa.shape<2>) -> tensor<2x1xf32> loc("main:0 EMBEDDING_LOOKUP 't2'")
    %13 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 EMBEDDING_LOOKUP 't2'")
    %14 = "tosa.mul"(%7, %12, %13) : (tensor<2x8xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x8xf32> loc("main:0 EMBEDDING_LOOKUP 't2'")
    return %14 : tensor<2x8xf32>
  }
}
