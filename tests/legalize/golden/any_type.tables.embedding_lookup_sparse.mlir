// before
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<2xf32> {tosa.tensor_name = "t3"}, %arg2: tensor<4x3xf32> {tosa.tensor_name = "t4"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t5"}) {
    %3 = "tfl.pseudo_const"() <{values = dense<[[0, 0], [0, 1]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
    %4 = "tfl.pseudo_const"() <{values = dense<[2, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %5 = "tfl.embedding_lookup_sparse"(%arg0, %3, %4, %arg1, %arg2) <{combiner = "MEAN"}> : (tensor<2xi32>, tensor<2x2xi32>, tensor<2xi32>, tensor<2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
    return %5 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<2xf32> {tosa.tensor_name = "t3"}, %arg2: tensor<4x3xf32> {tosa.tensor_name = "t4"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t5"}) {
    %3 = "tosa.const"() <{values = dense<[[[true], [true]], [[false], [false]]]> : tensor<2x2x1xi1>}> : () -> tensor<2x2x1xi1>
    %4 = "tosa.const_shape"() <{values = dense<[1, 4, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%arg2, %4) : (tensor<4x3xf32>, !tosa.shape<3>) -> tensor<1x4x3xf32>
    %6 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %7 = "tosa.reshape"(%arg0, %6) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
    %8 = "tosa.gather"(%5, %7) : (tensor<1x4x3xf32>, tensor<1x2xi32>) -> tensor<1x2x3xf32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.reshape"(%arg1, %9) : (tensor<2xf32>, !tosa.shape<3>) -> tensor<1x2x1xf32>
    %11 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.mul"(%8, %10, %11) : (tensor<1x2x3xf32>, tensor<1x2x1xf32>, tensor<1xi8>) -> tensor<1x2x3xf32>
    %13 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %14 = "tosa.select"(%3, %12, %13) : (tensor<2x2x1xi1>, tensor<1x2x3xf32>, tensor<1x1x1xf32>) -> tensor<2x2x3xf32>
    %15 = "tosa.reduce_sum"(%14) <{axis = 1 : i32}> : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
    %16 = "tosa.const"() <{values = dense<[[[true]], [[false]]]> : tensor<2x1x1xi1>}> : () -> tensor<2x1x1xi1>
    %17 = "tosa.select"(%3, %10, %13) : (tensor<2x2x1xi1>, tensor<1x2x1xf32>, tensor<1x1x1xf32>) -> tensor<2x2x1xf32>
    %18 = "tosa.reduce_sum"(%17) <{axis = 1 : i32}> : (tensor<2x2x1xf32>) -> tensor<2x1x1xf32>
    %19 = "tosa.reciprocal"(%18) : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
    %20 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %21 = "tosa.select"(%16, %19, %20) : (tensor<2x1x1xi1>, tensor<2x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1xf32>
    %22 = "tosa.mul"(%15, %21, %11) : (tensor<2x1x3xf32>, tensor<2x1x1xf32>, tensor<1xi8>) -> tensor<2x1x3xf32>
    %23 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %24 = "tosa.reshape"(%22, %23) : (tensor<2x1x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
    return %24 : tensor<2x3xf32>
  }
}
