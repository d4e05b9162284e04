// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x2xf32> {tosa.tensor_name = "t1"}, %arg2: tensor<i32> {tosa.tensor_name = "t2"}, %arg3: tensor<i32> {tosa.tensor_name = "t3"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t4"}) {
    %4 = "tfl.stablehlo_dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    return %4 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x2xf32> {tosa.tensor_name = "t1"}, %arg2: tensor<i32> {tosa.tensor_name = "t2"}, %arg3: tensor<i32> {tosa.tensor_name = "t3"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t4"}) {
    %4 = "tosa.const_shape"() <{values = dense<[1]> : tensor<1xindex>}> : () -> !tosa.shape<1> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %5 = "tosa.reshape"(%arg2, %4) : (tensor<i32>, !tosa.shape<1>) -> tensor<1xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %6 = "tosa.reshape"(%arg3, %4) : (tensor<i32>, !tosa.shape<1>) -> tensor<1xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %7 = "tosa.concat"(%5, %6) <{axis = 0 : i32}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %8 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %9 = "tosa.maximum"(%7, %8) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %10 = "tosa.const"() <{values = dense<"0x0100000001000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %11 = "tosa.minimum"(%9, %10) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %12 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %13 = "tosa.reshape"(%11, %12) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %14 = "tosa.const"() <{values = dense<"0x000000000000000000000000010000000000000002000000010000000000000001000000010000000100000002000000"> : tensor<6x2xi32>}> : () -> tensor<6x2xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %15 = "tosa.sub"(%14, %13) : (tensor<6x2xi32>, tensor<1x2xi32>) -> tensor<6x2xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %16 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %17 = "tosa.greater_equal"(%15, %16) : (tensor<6x2xi32>, tensor<1x1xi32>) -> tensor<6x2xi1> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %18 = "tosa.const"() <{values = dense<"0x0000000001000000"> : tensor<1x2xi32>}> : () -> tensor<1x2xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %19 = "tosa.greater_equal"(%18, %15) : (tensor<1x2xi32>, tensor<6x2xi32>) -> tensor<6x2xi1> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %20 = "tosa.logical_and"(%17, %19) : (tensor<6x2xi1>, tensor<6x2xi1>) -> tensor<6x2xi1> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %21 = "tosa.reduce_all"(%20) <{axis = 1 : i32}> : (tensor<6x2xi1>) -> tensor<6x1xi1> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %22 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %23 = "tosa.reshape"(%21, %22) : (tensor<6x1xi1>, !tosa.shape<2>) -> tensor<2x3xi1> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %24 = "tosa.maximum"(%15, %16) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<6x2xi32>, tensor<1x1xi32>) -> tensor<6x2xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %25 = "tosa.minimum"(%24, %18) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<6x2xi32>, tensor<1x2xi32>) -> tensor<6x2xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %26 = "tosa.const"() <{values = dense<"0x0200000001000000"> : tensor<1x2xi32>}> : () -> tensor<1x2xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %27 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %28 = "tosa.mul"(%25, %26, %27) : (tensor<6x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<6x2xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %29 = "tosa.reduce_sum"(%28) <{axis = 1 : i32}> : (tensor<6x2xi32>) -> tensor<6x1xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %30 = "tosa.reshape"(%29, %22) : (tensor<6x1xi32>, !tosa.shape<2>) -> tensor<2x3xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %31 = "tosa.const_shape"() <{values = dense<[1, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %32 = "tosa.reshape"(%arg1, %31) : (tensor<1x2xf32>, !tosa.shape<3>) -> tensor<1x2x1xf32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %33 = "tosa.const_shape"() <{values = dense<[1, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %34 = "tosa.reshape"(%30, %33) : (tensor<2x3xi32>, !tosa.shape<2>) -> tensor<1x6xi32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %35 = "tosa.gather"(%32, %34) : (tensor<1x2x1xf32>, tensor<1x6xi32>) -> tensor<1x6x1xf32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %36 = "tosa.reshape"(%35, %22) : (tensor<1x6x1xf32>, !tosa.shape<2>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    %37 = "tosa.select"(%23, %36, %arg0) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_DYNAMIC_UPDATE_SLICE 't4'")
    return %37 : tensor<2x3xf32>
  }
}
