// before
module {
  func.func @"main"(%arg0: tensor<3xf32> {tosa.tensor_name = "t1"}) -> (tensor<5xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x010000000300000001000000"> : tensor<3x1xi32>}> : () -> tensor<3x1xi32> loc("Model.subgraphs[0].tensors[0]")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x05000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("Model.subgraphs[0].tensors[2]")
    %3 = "tfl.scatter_nd"(%1, %arg0, %2) : (tensor<3x1xi32>, tensor<3xf32>, tensor<1xi32>) -> tensor<5xf32> loc("main:0 SCATTER_ND 't3'")
    return %3 : tensor<5xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3xf32> {tosa.tensor_name = "t1"}) -> (tensor<5xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 SCATTER_ND 't3'")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<3xf32>, !tosa.shape<3>) -> tensor<1x3x1xf32> loc("main:0 SCATTER_ND 't3'")
    %3 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 1, 0, 0]> : tensor<6xindex>}> : () -> !tosa.shape<6> loc("main:0 SCATTER_ND 't3'")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("main:0 SCATTER_ND 't3'")
    %5 = "tosa.pad"(%2, %3, %4) : (tensor<1x3x1xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<1x4x1xf32> loc("main:0 SCATTER_ND 't3'")
    %6 = "tosa.const"() <{values = dense<"0x03000000030000000000000002000000030000000300000001000000030000000300000003000000"> : tensor<1x10xi32>}> : () -> tensor<1x10xi32> loc("main:0 SCATTER_ND 't3'")
    %7 = "tosa.gather"(%5, %6) : (tensor<1x4x1xf32>, tensor<1x10xi32>) -> tensor<1x10x1xf32> loc("main:0 SCATTER_ND 't3'")
    %8 = "tosa.const_shape"() <{values = dense<[5, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 SCATTER_ND 't3'")
    %9 = "tosa.reshape"(%7, %8) : (tensor<1x10x1xf32>, !tosa.shape<3>) -> tensor<5x2x1xf32> loc("main:0 SCATTER_ND 't3'")
    %10 = "tosa.reduce_sum"(%9) <{axis = 1 : i32}> : (tensor<5x2x1xf32>) -> tensor<5x1x1xf32> loc("main:0 SCATTER_ND 't3'")
    %11 = "tosa.const_shape"() <{values = dense<[5]> : tensor<1xindex>}> : () -> !tosa.shape<1> loc("main:0 SCATTER_ND 't3'")
    %12 = "tosa.reshape"(%10, %11) : (tensor<5x1x1xf32>, !tosa.shape<1>) -> tensor<5xf32> loc("main:0 SCATTER_ND 't3'")
    return %12 : tensor<5xf32>
  }
}
