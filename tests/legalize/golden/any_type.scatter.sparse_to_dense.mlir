// before
module {
  func.func @"main"(%arg0: tensor<3xf32> {tosa.tensor_name = "t2"}, %arg1: tensor<f32> {tosa.tensor_name = "t3"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t4"}) {
    %2 = "tfl.pseudo_const"() <{values = dense<"0x000000000100000001000000010000000100000001000000"> : tensor<3x2xi32>}> : () -> tensor<3x2xi32> loc("Model.subgraphs[0].tensors[0]")
    %3 = "tfl.pseudo_const"() <{values = dense<"0x0200000003000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("Model.subgraphs[0].tensors[1]")
    %4 = "tfl.sparse_to_dense"(%2, %3, %arg0, %arg1) <{validate_indices = false}> : (tensor<3x2xi32>, tensor<2xi32>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32> loc("main:0 SPARSE_TO_DENSE 't4'")
    return %4 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3xf32> {tosa.tensor_name = "t2"}, %arg1: tensor<f32> {tosa.tensor_name = "t3"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t4"}) {
    %2 = "tosa.const_shape"() <{values = dense<[1, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 SPARSE_TO_DENSE 't4'")
    %3 = "tosa.reshape"(%arg1, %2) : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32> loc("main:0 SPARSE_TO_DENSE 't4'")
    %4 = "tosa.const_shape"() <{values = dense<[1, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 SPARSE_TO_DENSE 't4'")
    %5 = "tosa.reshape"(%arg0, %4) : (tensor<3xf32>, !tosa.shape<3>) -> tensor<1x3x1xf32> loc("main:0 SPARSE_TO_DENSE 't4'")
    %6 = "tosa.concat"(%3, %5) <{axis = 1 : i32}> : (tensor<1x1x1xf32>, tensor<1x3x1xf32>) -> tensor<1x4x1xf32> loc("main:0 SPARSE_TO_DENSE 't4'")
    %7 = "tosa.const"() <{values = dense<"0x000000000100000000000000000000000300000000000000"> : tensor<1x6xi32>}> : () -> tensor<1x6xi32> loc("main:0 SPARSE_TO_DENSE 't4'")
    %8 = "tosa.gather"(%6, %7) : (tensor<1x4x1xf32>, tensor<1x6xi32>) -> tensor<1x6x1xf32> loc("main:0 SPARSE_TO_DENSE 't4'")
    %9 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 SPARSE_TO_DENSE 't4'")
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x6x1xf32>, !tosa.shape<2>) -> tensor<2x3xf32> loc("main:0 SPARSE_TO_DENSE 't4'")
    return %10 : tensor<2x3xf32>
  }
}
