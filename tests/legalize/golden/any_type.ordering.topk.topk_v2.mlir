// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x1xf32> {tosa.tensor_name = "t2"}, tensor<1x4x4x1xi32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x01000000"> : tensor<i32>}> : () -> tensor<i32> loc("Model.subgraphs[0].tensors[1]")
    %2, %3 = "tfl.topk_v2"(%arg0, %1) : (tensor<1x4x4x2xf32>, tensor<i32>) -> (tensor<1x4x4x1xf32>, tensor<1x4x4x1xi32>) loc("main:0 TOPK_V2 't2'")
    return %2, %3 : tensor<1x4x4x1xf32>, tensor<1x4x4x1xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x1xf32> {tosa.tensor_name = "t2"}, tensor<1x4x4x1xi32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[16, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 TOPK_V2 't2'")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<2>) -> tensor<16x2xf32> loc("main:0 TOPK_V2 't2'")
    %3 = "tosa.equal"(%2, %2) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xi1> loc("main:0 TOPK_V2 't2'")
    %4 = "tosa.const"() <{values = dense<"0x000080FF"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 TOPK_V2 't2'")
    %5 = "tosa.select"(%3, %2, %4) : (tensor<16x2xi1>, tensor<16x2xf32>, tensor<1x1xf32>) -> tensor<16x2xf32> loc("main:0 TOPK_V2 't2'")
    %6 = "tosa.reduce_max"(%5) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<16x2xf32>) -> tensor<16x1xf32> loc("main:0 TOPK_V2 't2'")
    %7 = "tosa.equal"(%5, %6) : (tensor<16x2xf32>, tensor<16x1xf32>) -> tensor<16x2xi1> loc("main:0 TOPK_V2 't2'")
    %8 = "tosa.const"() <{values = dense<"0x0000000001000000"> : tensor<1x2xi32>}> : () -> tensor<1x2xi32> loc("main:0 TOPK_V2 't2'")
    %9 = "tosa.const"() <{values = dense<"0x02000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 TOPK_V2 't2'")
    %10 = "tosa.select"(%7, %8, %9) : (tensor<16x2xi1>, tensor<1x2xi32>, tensor<1x1xi32>) -> tensor<16x2xi32> loc("main:0 TOPK_V2 't2'")
    %11 = "tosa.reduce_min"(%10) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<16x2xi32>) -> tensor<16x1xi32> loc("main:0 TOPK_V2 't2'")
    %12 = "tosa.const_shape"() <{values = dense<[16, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 TOPK_V2 't2'")
    %13 = "tosa.reshape"(%2, %12) : (tensor<16x2xf32>, !tosa.shape<3>) -> tensor<16x2x1xf32> loc("main:0 TOPK_V2 't2'")
    %14 = "tosa.gather"(%13, %11) : (tensor<16x2x1xf32>, tensor<16x1xi32>) -> tensor<16x1x1xf32> loc("main:0 TOPK_V2 't2'")
    %15 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 TOPK_V2 't2'")
    %16 = "tosa.reshape"(%14, %15) : (tensor<16x1x1xf32>, !tosa.shape<4>) -> tensor<1x4x4x1xf32> loc("main:0 TOPK_V2 't2'")
    %17 = "tosa.reshape"(%11, %15) : (tensor<16x1xi32>, !tosa.shape<4>) -> tensor<1x4x4x1xi32> loc("main:0 TOPK_V2 't2'")
    return %16, %17 : tensor<1x4x4x1xf32>, tensor<1x4x4x1xi32>
  }
}
