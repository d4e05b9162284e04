// before
module {
  func.func @"main"(%arg0: tensor<1x8x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x8x8x8xf32> {tosa.tensor_name = ""}, tensor<1x4xf32> {tosa.tensor_name = ""}, tensor<1x4xf32> {tosa.tensor_name = ""}) {
    %1 = "xnn.const"() <{values = dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "xnn.const"() <{values = dense<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<8xf32>}> : () -> tensor<8xf32>
    %3, %4, %5 = "aten.native_group_norm.out"(%arg0, %1, %2) <{N = 1 : i64, C = 8 : i64, HxW = 64 : i64, group = 4 : i64, eps = 0x3727C5AC : f32}> : (tensor<1x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<1x8x8x8xf32>, tensor<1x4xf32>, tensor<1x4xf32>)
    return %3, %4, %5 : tensor<1x8x8x8xf32>, tensor<1x4xf32>, tensor<1x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x8x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x8x8x8xf32> {tosa.tensor_name = ""}, tensor<1x4xf32> {tosa.tensor_name = "_1"}, tensor<1x4xf32> {tosa.tensor_name = "_2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 4, 128]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x8x8x8xf32>, !tosa.shape<3>) -> tensor<1x4x128xf32>
    %3 = "tosa.reduce_sum"(%2) <{axis = 2 : i32}> : (tensor<1x4x128xf32>) -> tensor<1x4x1xf32>
    %4 = "tosa.const"() <{values = dense<[[[0.0078125]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.mul"(%3, %4, %5) : (tensor<1x4x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x1xf32>
    %7 = "tosa.sub"(%2, %6) : (tensor<1x4x128xf32>, tensor<1x4x1xf32>) -> tensor<1x4x128xf32>
    %8 = "tosa.mul"(%7, %7, %5) : (tensor<1x4x128xf32>, tensor<1x4x128xf32>, tensor<1xi8>) -> tensor<1x4x128xf32>
    %9 = "tosa.reduce_sum"(%8) <{axis = 2 : i32}> : (tensor<1x4x128xf32>) -> tensor<1x4x1xf32>
    %10 = "tosa.mul"(%9, %4, %5) : (tensor<1x4x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x1xf32>
    %11 = "tosa.const"() <{values = dense<[[[9.999999747378752e-06]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %12 = "tosa.add"(%10, %11) : (tensor<1x4x1xf32>, tensor<1x1x1xf32>) -> tensor<1x4x1xf32>
    %13 = "tosa.rsqrt"(%12) : (tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
    %14 = "tosa.mul"(%7, %13, %5) : (tensor<1x4x128xf32>, tensor<1x4x1xf32>, tensor<1xi8>) -> tensor<1x4x128xf32>
    %15 = "tosa.const_shape"() <{values = dense<[1, 8, 8, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %16 = "tosa.reshape"(%14, %15) : (tensor<1x4x128xf32>, !tosa.shape<4>) -> tensor<1x8x8x8xf32>
    %17 = "tosa.const"() <{values = dense<[[[[1.0]], [[1.0]], [[1.0]], [[1.0]], [[1.0]], [[1.0]], [[1.0]], [[1.0]]]]> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32>
    %18 = "tosa.mul"(%16, %17, %5) : (tensor<1x8x8x8xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x8x8xf32>
    %19 = "tosa.const"() <{values = dense<[[[[0.0]], [[0.0]], [[0.0]], [[0.0]], [[0.0]], [[0.0]], [[0.0]], [[0.0]]]]> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32>
    %20 = "tosa.add"(%18, %19) : (tensor<1x8x8x8xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x8x8xf32>
    %21 = "tosa.const_shape"() <{values = dense<[1, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %22 = "tosa.reshape"(%6, %21) : (tensor<1x4x1xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
    %23 = "tosa.reshape"(%13, %21) : (tensor<1x4x1xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
    return %20, %22, %23 : tensor<1x8x8x8xf32>, tensor<1x4xf32>, tensor<1x4xf32>
  }
}
