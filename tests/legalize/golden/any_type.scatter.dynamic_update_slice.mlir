// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x2x3x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t3"}) {
    %2 = "tfl.pseudo_const"() <{values = dense<"0x00000000010000000900000000000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("Model.subgraphs[0].tensors[2]")
    %3 = "tfl.dynamic_update_slice"(%arg0, %arg1, %2) : (tensor<1x4x4x2xf32>, tensor<1x2x3x2xf32>, tensor<4xi32>) -> tensor<1x4x4x2xf32> loc("main:0 DYNAMIC_UPDATE_SLICE 't3'")
    return %3 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x2x3x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t3"}) {
    %2 = "tosa.const_shape"() <{values = dense<[1, 6, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 DYNAMIC_UPDATE_SLICE 't3'")
    %3 = "tosa.reshape"(%arg1, %2) : (tensor<1x2x3x2xf32>, !tosa.shape<3>) -> tensor<1x6x2xf32> loc("main:0 DYNAMIC_UPDATE_SLICE 't3'")
    %4 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 DYNAMIC_UPDATE_SLICE 't3'")
    %5 = "tosa.reshape"(%arg0, %4) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32> loc("main:0 DYNAMIC_UPDATE_SLICE 't3'")
    %6 = "tosa.const"() <{values = dense<"0x050000000600000007000000090000000A0000000B000000"> : tensor<1x6xi32>}> : () -> tensor<1x6xi32> loc("main:0 DYNAMIC_UPDATE_SLICE 't3'")
    %7 = "tosa.scatter"(%5, %6, %3) : (tensor<1x16x2xf32>, tensor<1x6xi32>, tensor<1x6x2xf32>) -> tensor<1x16x2xf32> loc("main:0 DYNAMIC_UPDATE_SLICE 't3'")
    %8 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 DYNAMIC_UPDATE_SLICE 't3'")
    %9 = "tosa.reshape"(%7, %8) : (tensor<1x16x2xf32>, !tosa.shape<4>) -> tensor<1x4x4x2xf32> loc("main:0 DYNAMIC_UPDATE_SLICE 't3'")
    return %9 : tensor<1x4x4x2xf32>
  }
}
