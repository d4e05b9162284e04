// before
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<1x4xi64> {tosa.tensor_name = "x1"}) -> (tensor<3x4xf32> {tosa.tensor_name = "output_0"}) {
    %2 = "aten.scatter.value_out"(%arg0, %arg1) <{dim = 0 : i64, value = 0x40400000 : f32}> : (tensor<3x4xf32>, tensor<1x4xi64>) -> tensor<3x4xf32>
    return %2 : tensor<3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<1x4xi32> {tosa.tensor_name = "x1"}) -> (tensor<3x4xf32> {tosa.tensor_name = "output_0"}) {
    %2 = "tosa.transpose"(%arg1) <{perms = array<i32: 1, 0>}> : (tensor<1x4xi32>) -> tensor<4x1xi32>
    %3 = "tosa.const_shape"() <{values = dense<[4, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%2, %3) : (tensor<4x1xi32>, !tosa.shape<3>) -> tensor<4x1x1xi32>
    %5 = "tosa.const"() <{values = dense<[[[0], [1], [2]]]> : tensor<1x3x1xi32>}> : () -> tensor<1x3x1xi32>
    %6 = "tosa.equal"(%4, %5) : (tensor<4x1x1xi32>, tensor<1x3x1xi32>) -> tensor<4x3x1xi1>
    %7 = "tosa.const"() <{values = dense<[[[1]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %8 = "tosa.const"() <{values = dense<[[[0]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %9 = "tosa.select"(%6, %7, %8) : (tensor<4x3x1xi1>, tensor<1x1x1xi32>, tensor<1x1x1xi32>) -> tensor<4x3x1xi32>
    %10 = "tosa.reduce_max"(%9) <{axis = 2 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x3x1xi32>) -> tensor<4x3x1xi32>
    %11 = "tosa.const_shape"() <{values = dense<[4, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %12 = "tosa.reshape"(%10, %11) : (tensor<4x3x1xi32>, !tosa.shape<2>) -> tensor<4x3xi32>
    %13 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %14 = "tosa.greater"(%12, %13) : (tensor<4x3xi32>, tensor<1x1xi32>) -> tensor<4x3xi1>
    %15 = "tosa.cast"(%14) : (tensor<4x3xi1>) -> tensor<4x3xi8>
    %16 = "tosa.transpose"(%15) <{perms = array<i32: 1, 0>}> : (tensor<4x3xi8>) -> tensor<3x4xi8>
    %17 = "tosa.cast"(%16) : (tensor<3x4xi8>) -> tensor<3x4xi1>
    %18 = "tosa.const"() <{values = dense<[[[0.0], [3.0]], [[0.0], [3.0]], [[0.0], [3.0]], [[0.0], [3.0]]]> : tensor<4x2x1xf32>}> : () -> tensor<4x2x1xf32>
    %19 = "tosa.gather"(%18, %12) : (tensor<4x2x1xf32>, tensor<4x3xi32>) -> tensor<4x3x1xf32>
    %20 = "tosa.reshape"(%19, %11) : (tensor<4x3x1xf32>, !tosa.shape<2>) -> tensor<4x3xf32>
    %21 = "tosa.transpose"(%20) <{perms = array<i32: 1, 0>}> : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %22 = "tosa.select"(%17, %21, %arg0) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %22 : tensor<3x4xf32>
  }
}
