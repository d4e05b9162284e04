// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<i32> {tosa.tensor_name = "t1"}, %arg2: tensor<i32> {tosa.tensor_name = "t2"}) -> (tensor<1x2xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tfl.stablehlo_dynamic_slice"(%arg0, %arg1, %arg2) <{slice_sizes = array<i64: 1, 2>}> : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    return %3 : tensor<1x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<i32> {tosa.tensor_name = "t1"}, %arg2: tensor<i32> {tosa.tensor_name = "t2"}) -> (tensor<1x2xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tosa.const_shape"() <{values = dense<[1]> : tensor<1xindex>}> : () -> !tosa.shape<1> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %4 = "tosa.reshape"(%arg1, %3) : (tensor<i32>, !tosa.shape<1>) -> tensor<1xi32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %5 = "tosa.reshape"(%arg2, %3) : (tensor<i32>, !tosa.shape<1>) -> tensor<1xi32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %6 = "tosa.concat"(%4, %5) <{axis = 0 : i32}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %7 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %8 = "tosa.maximum"(%6, %7) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %9 = "tosa.const"() <{values = dense<"0x0100000001000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %10 = "tosa.minimum"(%8, %9) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %11 = "tosa.const"() <{values = dense<"0x0300000001000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %12 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %13 = "tosa.mul"(%10, %11, %12) : (tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %14 = "tosa.reduce_sum"(%13) <{axis = 0 : i32}> : (tensor<2xi32>) -> tensor<1xi32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %15 = "tosa.const"() <{values = dense<"0x0000000001000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %16 = "tosa.add"(%14, %15) : (tensor<1xi32>, tensor<2xi32>) -> tensor<2xi32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %17 = "tosa.const_shape"() <{values = dense<[1, 6, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %18 = "tosa.reshape"(%arg0, %17) : (tensor<2x3xf32>, !tosa.shape<3>) -> tensor<1x6x1xf32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %19 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %20 = "tosa.reshape"(%16, %19) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %21 = "tosa.gather"(%18, %20) : (tensor<1x6x1xf32>, tensor<1x2xi32>) -> tensor<1x2x1xf32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %22 = "tosa.const_shape"() <{values = dense<[2]> : tensor<1xindex>}> : () -> !tosa.shape<1> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %23 = "tosa.reshape"(%21, %22) : (tensor<1x2x1xf32>, !tosa.shape<1>) -> tensor<2xf32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    %24 = "tosa.reshape"(%23, %19) : (tensor<2xf32>, !tosa.shape<2>) -> tensor<1x2xf32> loc("main:0 STABLEHLO_DYNAMIC_SLICE 't3'")
    return %24 : tensor<1x2xf32>
  }
}
