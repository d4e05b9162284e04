// before
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<2xf32> {tosa.tensor_name = "t3"}, %arg2: tensor<4x3xf32> {tosa.tensor_name = "t4"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t5"}) {
    %3 = "tfl.pseudo_const"() <{values = dense<"0x00000000000000000000000001000000"> : tensor<2x2xi32>}> : () -> tensor<2x2xi32> loc("Model.subgraphs[0].tensors[1]")
    %4 = "tfl.pseudo_const"() <{values = dense<"0x0200000002000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("Model.subgraphs[0].tensors[2]")
    %5 = "tfl.embedding_lookup_sparse"(%arg0, %3, %4, %arg1, %arg2) <{combiner = "MEAN"}> : (tensor<2xi32>, tensor<2x2xi32>, tensor<2xi32>, tensor<2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    return %5 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<2xf32> {tosa.tensor_name = "t3"}, %arg2: tensor<4x3xf32> {tosa.tensor_name = "t4"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t5"}) {
    %3 = "tosa.const_shape"() <{values = dense<[1, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %4 = "tosa.reshape"(%arg1, %3) : (tensor<2xf32>, !tosa.shape<3>) -> tensor<1x2x1xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %5 = "tosa.const_shape"() <{values = dense<[1, 4, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %6 = "tosa.reshape"(%arg2, %5) : (tensor<4x3xf32>, !tosa.shape<3>) -> tensor<1x4x3xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %7 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %8 = "tosa.reshape"(%arg0, %7) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %9 = "tosa.gather"(%6, %8) : (tensor<1x4x3xf32>, tensor<1x2xi32>) -> tensor<1x2x3xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %10 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %11 = "tosa.mul"(%9, %4, %10) : (tensor<1x2x3xf32>, tensor<1x2x1xf32>, tensor<1xi8>) -> tensor<1x2x3xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %12 = "tosa.const"() <{values = dense<[[[true], [true]], [[false], [false]]]> : tensor<2x2x1xi1>}> : () -> tensor<2x2x1xi1> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %13 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %14 = "tosa.select"(%12, %11, %13) : (tensor<2x2x1xi1>, tensor<1x2x3xf32>, tensor<1x1x1xf32>) -> tensor<2x2x3xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %15 = "tosa.reduce_sum"(%14) <{axis = 1 : i32}> : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %16 = "tosa.select"(%12, %4, %13) : (tensor<2x2x1xi1>, tensor<1x2x1xf32>, tensor<1x1x1xf32>) -> tensor<2x2x1xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %17 = "tosa.reduce_sum"(%16) <{axis = 1 : i32}> : (tensor<2x2x1xf32>) -> tensor<2x1x1xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %18 = "tosa.reciprocal"(%17) : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %19 = "tosa.const"() <{values = dense<[[[true]], [[false]]]> : tensor<2x1x1xi1>}> : () -> tensor<2x1x1xi1> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %20 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %21 = "tosa.select"(%19, %18, %20) : (tensor<2x1x1xi1>, tensor<2x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %22 = "tosa.mul"(%15, %21, %10) : (tensor<2x1x3xf32>, tensor<2x1x1xf32>, tensor<1xi8>) -> tensor<2x1x3xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %23 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    %24 = "tosa.reshape"(%22, %23) : (tensor<2x1x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32> loc("main:0 EMBEDDING_LOOKUP_SPARSE 't5'")
    return %24 : tensor<2x3xf32>
  }
}
