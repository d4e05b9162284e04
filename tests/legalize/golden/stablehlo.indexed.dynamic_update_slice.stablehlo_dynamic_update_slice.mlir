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
    %4 = "tosa.const_shape"() <{values = dense<[1, 6, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%arg0, %4) : (tensor<2x3xf32>, !tosa.shape<3>) -> tensor<1x6x1xf32>
    %6 = "tosa.const_shape"() <{values = dense<[1]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %7 = "tosa.reshape"(%arg2, %6) : (tensor<i32>, !tosa.shape<1>) -> tensor<1xi32>
    %8 = "tosa.reshape"(%arg3, %6) : (tensor<i32>, !tosa.shape<1>) -> tensor<1xi32>
    %9 = "tosa.concat"(%7, %8) <{axis = 0 : i32}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %10 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %11 = "tosa.maximum"(%9, %10) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %12 = "tosa.const"() <{values = dense<[1, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %13 = "tosa.minimum"(%11, %12) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %14 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %15 = "tosa.reshape"(%13, %14) : (tensor<2xi32>, !tosa.shape<3>) -> tensor<1x1x2xi32>
    %16 = "tosa.const"() <{values = dense<[[[3, 1]]]> : tensor<1x1x2xi32>}> : () -> tensor<1x1x2xi32>
    %17 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %18 = "tosa.mul"(%15, %16, %17) : (tensor<1x1x2xi32>, tensor<1x1x2xi32>, tensor<1xi8>) -> tensor<1x1x2xi32>
    %19 = "tosa.reduce_sum"(%18) <{axis = 2 : i32}> : (tensor<1x1x2xi32>) -> tensor<1x1x1xi32>
    %20 = "tosa.const_shape"() <{values = dense<[1, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %21 = "tosa.reshape"(%19, %20) : (tensor<1x1x1xi32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %22 = "tosa.const"() <{values = dense<[[0, 1]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %23 = "tosa.add"(%21, %22) : (tensor<1x1xi32>, tensor<1x2xi32>) -> tensor<1x2xi32>
    %24 = "tosa.const_shape"() <{values = dense<[1, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %25 = "tosa.reshape"(%arg1, %24) : (tensor<1x2xf32>, !tosa.shape<3>) -> tensor<1x2x1xf32>
    %26 = "tosa.scatter"(%5, %23, %25) : (tensor<1x6x1xf32>, tensor<1x2xi32>, tensor<1x2x1xf32>) -> tensor<1x6x1xf32>
    %27 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %28 = "tosa.reshape"(%26, %27) : (tensor<1x6x1xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
    return %28 : tensor<2x3xf32>
  }
}
