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
    %13 = "tosa.const"() <{values = dense<[3, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %14 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = "tosa.mul"(%12, %13, %14) : (tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>
    %16 = "tosa.reduce_sum"(%15) <{axis = 0 : i32}> : (tensor<2xi32>) -> tensor<1xi32>
    %17 = "tosa.const"() <{values = dense<[0, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %18 = "tosa.add"(%16, %17) : (tensor<1xi32>, tensor<2xi32>) -> tensor<2xi32>
    %19 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %20 = "tosa.reshape"(%18, %19) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
    %21 = "tosa.gather"(%4, %20) : (tensor<1x6x1xf32>, tensor<1x2xi32>) -> tensor<1x2x1xf32>
    %22 = "tosa.const_shape"() <{values = dense<[2]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %23 = "tosa.reshape"(%21, %22) : (tensor<1x2x1xf32>, !tosa.shape<1>) -> tensor<2xf32>
    %24 = "tosa.reshape"(%23, %19) : (tensor<2xf32>, !tosa.shape<2>) -> tensor<1x2xf32>
    return %24 : tensor<1x2xf32>
  }
}
