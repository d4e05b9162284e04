// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x1xf32> {tosa.tensor_name = "t2"}, tensor<1x4x4x1xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x03000000"> : tensor<i32>}> : () -> tensor<i32> loc("Model.subgraphs[0].tensors[0]")
    %2, %3 = "tfl.split"(%1, %arg0) <{num_splits = 2 : i64}> : (tensor<i32>, tensor<1x4x4x2xf32>) -> (tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>) loc("main:0 SPLIT 't2'")
    return %2, %3 : tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x1xf32> {tosa.tensor_name = "t2"}, tensor<1x4x4x1xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 SPLIT 't2'")
    %2 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 SPLIT 't2'")
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x4x1xf32> loc("main:0 SPLIT 't2'")
    %4 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 SPLIT 't2'")
    %5 = "tosa.slice"(%arg0, %4, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x4x1xf32> loc("main:0 SPLIT 't2'")
    return %3, %5 : tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>
  }
}
