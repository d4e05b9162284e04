// before
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2x3xi64> {tosa.tensor_name = "x1"}, %arg2: tensor<2x3xf32> {tosa.tensor_name = "x2"}) -> (tensor<3x4xf32> {tosa.tensor_name = "output_1"}) {
    %3 = "aten.scatter.src_out"(%arg0, %arg1, %arg2) <{dim = 1 : i64}> : (tensor<3x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<3x4xf32>
    return %3 : tensor<3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2x3xi32> {tosa.tensor_name = "x1"}, %arg2: tensor<2x3xf32> {tosa.tensor_name = "x2"}) -> (tensor<3x4xf32> {tosa.tensor_name = "output_1"}) {
    %3 = "tosa.const_shape"() <{values = dense<[2, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%arg1, %3) : (tensor<2x3xi32>, !tosa.shape<3>) -> tensor<2x1x3xi32>
    %5 = "tosa.const"() <{values = dense<[[[0], [1], [2], [3]]]> : tensor<1x4x1xi32>}> : () -> tensor<1x4x1xi32>
    %6 = "tosa.equal"(%4, %5) : (tensor<2x1x3xi32>, tensor<1x4x1xi32>) -> tensor<2x4x3xi1>
    %7 = "tosa.const"() <{values = dense<[[[1, 2, 3]]]> : tensor<1x1x3xi32>}> : () -> tensor<1x1x3xi32>
    %8 = "tosa.const"() <{values = dense<[[[0]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %9 = "tosa.select"(%6, %7, %8) : (tensor<2x4x3xi1>, tensor<1x1x3xi32>, tensor<1x1x1xi32>) -> tensor<2x4x3xi32>
    %10 = "tosa.reduce_max"(%9) <{axis = 2 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x4x3xi32>) -> tensor<2x4x1xi32>
    %11 = "tosa.const_shape"() <{values = dense<[2, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %12 = "tosa.reshape"(%10, %11) : (tensor<2x4x1xi32>, !tosa.shape<2>) -> tensor<2x4xi32>
    %13 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %14 = "tosa.greater"(%12, %13) : (tensor<2x4xi32>, tensor<1x1xi32>) -> tensor<2x4xi1>
    %15 = "tosa.cast"(%14) : (tensor<2x4xi1>) -> tensor<2x4xi8>
    %16 = "tosa.const_shape"() <{values = dense<[0, 1, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %17 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %18 = "tosa.pad"(%15, %16, %17) : (tensor<2x4xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<3x4xi8>
    %19 = "tosa.cast"(%18) : (tensor<3x4xi8>) -> tensor<3x4xi1>
    %20 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %21 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %22 = "tosa.pad"(%arg2, %20, %21) : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<2x4xf32>
    %23 = "tosa.const_shape"() <{values = dense<[2, 4, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %24 = "tosa.reshape"(%22, %23) : (tensor<2x4xf32>, !tosa.shape<3>) -> tensor<2x4x1xf32>
    %25 = "tosa.gather"(%24, %12) : (tensor<2x4x1xf32>, tensor<2x4xi32>) -> tensor<2x4x1xf32>
    %26 = "tosa.reshape"(%25, %11) : (tensor<2x4x1xf32>, !tosa.shape<2>) -> tensor<2x4xf32>
    %27 = "tosa.pad"(%26, %16, %21) : (tensor<2x4xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x4xf32>
    %28 = "tosa.select"(%19, %27, %arg0) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %28 : tensor<3x4xf32>
  }
}
