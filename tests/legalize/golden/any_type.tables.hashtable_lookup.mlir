// before
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<4x3xf32> {tosa.tensor_name = "t2"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}, tensor<2x!quant.uniform<ui8:f32, 0.10000000149011612:135>> {tosa.tensor_name = "t4"}) {
    %2 = "tfl.pseudo_const"() <{values = dense<"0x01000000030000000500000007000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("Model.subgraphs[0].tensors[1]")
    %3, %4 = "tfl.hashtable_lookup"(%arg0, %2, %arg1) : (tensor<2xi32>, tensor<4xi32>, tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<2x!quant.uniform<ui8:f32, 0.10000000149011612:135>>) loc("main:0 HASHTABLE_LOOKUP 't3'")
    return %3, %4 : tensor<2x3xf32>, tensor<2x!quant.uniform<ui8:f32, 0.10000000149011612:135>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<4x3xf32> {tosa.tensor_name = "t2"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}, tensor<2xi8> {tosa.tensor_name = "t4"}) {
    %2 = "tosa.const_shape"() <{values = dense<[2, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<2x1xi32> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %4 = "tosa.const"() <{values = dense<"0x01000000030000000500000007000000"> : tensor<1x4xi32>}> : () -> tensor<1x4xi32> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %5 = "tosa.equal"(%3, %4) : (tensor<2x1xi32>, tensor<1x4xi32>) -> tensor<2x4xi1> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %6 = "tosa.const"() <{values = dense<"0x00000000010000000200000003000000"> : tensor<1x4xi32>}> : () -> tensor<1x4xi32> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %7 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %8 = "tosa.select"(%5, %6, %7) : (tensor<2x4xi1>, tensor<1x4xi32>, tensor<1x1xi32>) -> tensor<2x4xi32> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %9 = "tosa.reduce_max"(%8) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x4xi32>) -> tensor<2x1xi32> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %10 = "tosa.reduce_any"(%5) <{axis = 1 : i32}> : (tensor<2x4xi1>) -> tensor<2x1xi1> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %11 = "tosa.const_shape"() <{values = dense<[1, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %12 = "tosa.reshape"(%10, %11) : (tensor<2x1xi1>, !tosa.shape<3>) -> tensor<1x2x1xi1> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %13 = "tosa.const_shape"() <{values = dense<[1, 4, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %14 = "tosa.reshape"(%arg1, %13) : (tensor<4x3xf32>, !tosa.shape<3>) -> tensor<1x4x3xf32> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %15 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %16 = "tosa.reshape"(%9, %15) : (tensor<2x1xi32>, !tosa.shape<2>) -> tensor<1x2xi32> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %17 = "tosa.gather"(%14, %16) : (tensor<1x4x3xf32>, tensor<1x2xi32>) -> tensor<1x2x3xf32> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %18 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %19 = "tosa.select"(%12, %17, %18) : (tensor<1x2x1xi1>, tensor<1x2x3xf32>, tensor<1x1x1xf32>) -> tensor<1x2x3xf32> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %20 = "tosa.const_shape"() <{values = dense<[2]> : tensor<1xindex>}> : () -> !tosa.shape<1> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %21 = "tosa.reshape"(%12, %20) : (tensor<1x2x1xi1>, !tosa.shape<1>) -> tensor<2xi1> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %22 = "tosa.cast"(%21) : (tensor<2xi1>) -> tensor<2xi8> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %23 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 HASHTABLE_LOOKUP 't3'")
    %24 = "tosa.reshape"(%19, %23) : (tensor<1x2x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32> loc("main:0 HASHTABLE_LOOKUP 't3'")
    return %24, %22 : tensor<2x3xf32>, tensor<2xi8>
  }
}
