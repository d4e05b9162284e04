// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<i32> {tosa.tensor_name = "t1"}, %arg2: tensor<i32> {tosa.tensor_name = "t2"}) -> (tensor<1x2xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tfl.stablehlo_dynamic_slice"(%arg0, %arg1, %arg2) <{slice_sizes = array<i64: 1, 2>}> : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    return %3 : tensor<1x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<i32> {tosa.tensor_name = "t1"}, %arg2: tensor<i32> {tosa.tensor_name = "t2"}) -> (tensor<1x2xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tosa.const_shape"() <{values = dense<[1, 6, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%arg0, %3) : (tensor<2x3xf32>, !tosa.shape<3>) -> tensor<1x6x1xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %6 = "tosa.reshape"(%arg1, %5) : (tensor<i32>, !tosa.shape<1>) -> tensor<1xi32>
    %7 = "tosa.reshape"(%arg2, %5) : (tensor<i32>, !tosa.shape<1>) -> tensor<1xi32>
    %8 = "tosa.concat"(%6, %7) <{axis = 0 : i32}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %10 = "tosa.maximum"(%8, %9) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %11 = "tosa.const"() <{values = dense<[1, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %12 = "tosa.minimum"(%10, %11) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %13 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %14 = "tosa.reshape"(%12, %13) : (tensor<2xi32>, !tosa.shape<3>) -> tensor<1x1x2xi32>
    %15 = "tosa.const"() <{values = dense<[[[3, 1]]]> : tensor<1x1x2xi32>}> : () -> tensor<1x1x2xi32>
    %16 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = "tosa.mul"(%14, %15, %16) : (tensor<1x1x2xi32>, tensor<1x1x2xi32>, tensor<1xi8>) -> tensor<1x1x2xi32>
    %18 = "tosa.reduce_sum"(%17) <{axis = 2 : i32}> : (tensor<1x1x2xi32>) -> tensor<1x1x1xi32>
    %19 = "tosa.const_shape"() <{values = dense<[1, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %20 = "tosa.reshape"(%18, %19) : (tensor<1x1x1xi32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %21 = "tosa.const"() <{values = dense<[[0, 1]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %22 = "tosa.add"(%20, %21) : (tensor<1x1xi32>, tensor<1x2xi32>) -> tensor<1x2xi32>
    %23 = "tosa.gather"(%4, %22) : (tensor<1x6x1xf32>, tensor<1x2xi32>) -> tensor<1x2x1xf32>
    %24 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %25 = "tosa.reshape"(%23, %24) : (tensor<1x2x1xf32>, !tosa.shape<2>) -> tensor<1x2xf32>
    return %25 : tensor<1x2xf32>
  }
}
