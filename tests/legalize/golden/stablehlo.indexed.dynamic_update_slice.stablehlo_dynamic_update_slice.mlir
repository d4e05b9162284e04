// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x2xf32> {tosa.tensor_name = "t1"}, %arg2: tensor<i32> {tosa.tensor_name = "t2"}, %arg3: tensor<i32> {tosa.tensor_name = "t3"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t4"}) {
    %4 = "tfl.stablehlo_dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    return %4 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x2xf32> {tosa.tensor_name = "t1"}, %arg2: tensor<i32> {tosa.tensor_name = "t2"}, %arg3: tensor<i32> {tosa.tensor_name = "t3"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t4"}) {
    %4 = "tosa.const"() <{values = dense<[[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]> : tensor<6x2xi32>}> : () -> tensor<6x2xi32>
    %5 = "tosa.const_shape"() <{values = dense<[1]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %6 = "tosa.reshape"(%arg2, %5) : (tensor<i32>, !tosa.shape<1>) -> tensor<1xi32>
    %7 = "tosa.reshape"(%arg3, %5) : (tensor<i32>, !tosa.shape<1>) -> tensor<1xi32>
    %8 = "tosa.concat"(%6, %7) <{axis = 0 : i32}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %10 = "tosa.maximum"(%8, %9) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %11 = "tosa.const"() <{values = dense<[1, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %12 = "tosa.minimum"(%10, %11) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %13 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %14 = "tosa.reshape"(%12, %13) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
    %15 = "tosa.sub"(%4, %14) : (tensor<6x2xi32>, tensor<1x2xi32>) -> tensor<6x2xi32>
    %16 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %17 = "tosa.greater_equal"(%15, %16) : (tensor<6x2xi32>, tensor<1x1xi32>) -> tensor<6x2xi1>
    %18 = "tosa.const"() <{values = dense<[[0, 1]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %19 = "tosa.greater_equal"(%18, %15) : (tensor<1x2xi32>, tensor<6x2xi32>) -> tensor<6x2xi1>
    %20 = "tosa.logical_and"(%17, %19) : (tensor<6x2xi1>, tensor<6x2xi1>) -> tensor<6x2xi1>
    %21 = "tosa.reduce_all"(%20) <{axis = 1 : i32}> : (tensor<6x2xi1>) -> tensor<6x1xi1>
    %22 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %23 = "tosa.reshape"(%21, %22) : (tensor<6x1xi1>, !tosa.shape<2>) -> tensor<2x3xi1>
    %24 = "tosa.const_shape"() <{values = dense<[1, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %25 = "tosa.reshape"(%arg1, %24) : (tensor<1x2xf32>, !tosa.shape<3>) -> tensor<1x2x1xf32>
    %26 = "tosa.maximum"(%15, %16) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<6x2xi32>, tensor<1x1xi32>) -> tensor<6x2xi32>
    %27 = "tosa.minimum"(%26, %18) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<6x2xi32>, tensor<1x2xi32>) -> tensor<6x2xi32>
    %28 = "tosa.const"() <{values = dense<[[2, 1]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %29 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %30 = "tosa.mul"(%27, %28, %29) : (tensor<6x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<6x2xi32>
    %31 = "tosa.reduce_sum"(%30) <{axis = 1 : i32}> : (tensor<6x2xi32>) -> tensor<6x1xi32>
    %32 = "tosa.reshape"(%31, %22) : (tensor<6x1xi32>, !tosa.shape<2>) -> tensor<2x3xi32>
    %33 = "tosa.const_shape"() <{values = dense<[1, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %34 = "tosa.reshape"(%32, %33) : (tensor<2x3xi32>, !tosa.shape<2>) -> tensor<1x6xi32>
    %35 = "tosa.gather"(%25, %34) : (tensor<1x2x1xf32>, tensor<1x6xi32>) -> tensor<1x6x1xf32>
    %36 = "tosa.reshape"(%35, %22) : (tensor<1x6x1xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
    %37 = "tosa.select"(%23, %36, %arg0) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %37 : tensor<2x3xf32>
  }
}
