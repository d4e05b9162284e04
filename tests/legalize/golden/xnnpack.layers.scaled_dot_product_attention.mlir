// before
module {
  func.func @"main"(%arg0: tensor<1x2x3x4xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<1x2x5x4xf32> {tosa.tensor_name = "v1"}, %arg2: tensor<1x2x5x6xf32> {tosa.tensor_name = "v2"}, %arg3: tensor<4xf32> {tosa.tensor_name = "v3"}, %arg4: tensor<3x5xf32> {tosa.tensor_name = "v4"}) -> (tensor<1x2x3x6xf32> {tosa.tensor_name = "v5"}) {
    %5 = "xnn.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %arg3, %arg4) <{flags = 0 : i64}> : (tensor<1x2x3x4xf32>, tensor<1x2x5x4xf32>, tensor<1x2x5x6xf32>, tensor<4xf32>, tensor<3x5xf32>) -> tensor<1x2x3x6xf32>
    return %5 : tensor<1x2x3x6xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x3x4xf32> {tosa.tensor_name = "v0"}, %arg1: tensor<1x2x5x4xf32> {tosa.tensor_name = "v1"}, %arg2: tensor<1x2x5x6xf32> {tosa.tensor_name = "v2"}, %arg3: tensor<4xf32> {tosa.tensor_name = "v3"}, %arg4: tensor<3x5xf32> {tosa.tensor_name = "v4"}) -> (tensor<1x2x3x6xf32> {tosa.tensor_name = "v5"}) {
    %5 = "tosa.const_shape"() <{values = dense<[1, 1, 1, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %6 = "tosa.reshape"(%arg3, %5) : (tensor<4xf32>, !tosa.shape<4>) -> tensor<1x1x1x4xf32>
    %7 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.mul"(%arg0, %6, %7) : (tensor<1x2x3x4xf32>, tensor<1x1x1x4xf32>, tensor<1xi8>) -> tensor<1x2x3x4xf32>
    %9 = "tosa.const_shape"() <{values = dense<[2, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x2x3x4xf32>, !tosa.shape<3>) -> tensor<2x3x4xf32>
    %11 = "tosa.transpose"(%arg1) <{perms = array<i32: 0, 1, 3, 2>}> : (tensor<1x2x5x4xf32>) -> tensor<1x2x4x5xf32>
    %12 = "tosa.const_shape"() <{values = dense<[2, 4, 5]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %13 = "tosa.reshape"(%11, %12) : (tensor<1x2x4x5xf32>, !tosa.shape<3>) -> tensor<2x4x5xf32>
    %14 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %15 = "tosa.matmul"(%10, %13, %14, %14) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5xf32>
    %16 = "tosa.const_shape"() <{values = dense<[1, 2, 3, 5]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %17 = "tosa.reshape"(%15, %16) : (tensor<2x3x5xf32>, !tosa.shape<4>) -> tensor<1x2x3x5xf32>
    %18 = "tosa.const_shape"() <{values = dense<[1, 1, 3, 5]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %19 = "tosa.reshape"(%arg4, %18) : (tensor<3x5xf32>, !tosa.shape<4>) -> tensor<1x1x3x5xf32>
    %20 = "tosa.add"(%17, %19) : (tensor<1x2x3x5xf32>, tensor<1x1x3x5xf32>) -> tensor<1x2x3x5xf32>
    %21 = "tosa.reduce_max"(%20) <{axis = 3 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x2x3x5xf32>) -> tensor<1x2x3x1xf32>
    %22 = "tosa.sub"(%20, %21) : (tensor<1x2x3x5xf32>, tensor<1x2x3x1xf32>) -> tensor<1x2x3x5xf32>
    %23 = "tosa.exp"(%22) : (tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
    %24 = "tosa.reduce_sum"(%23) <{axis = 3 : i32}> : (tensor<1x2x3x5xf32>) -> tensor<1x2x3x1xf32>
    %25 = "tosa.reciprocal"(%24) : (tensor<1x2x3x1xf32>) -> tensor<1x2x3x1xf32>
    %26 = "tosa.mul"(%23, %25, %7) : (tensor<1x2x3x5xf32>, tensor<1x2x3x1xf32>, tensor<1xi8>) -> tensor<1x2x3x5xf32>
    %27 = "tosa.const_shape"() <{values = dense<[2, 3, 5]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %28 = "tosa.reshape"(%26, %27) : (tensor<1x2x3x5xf32>, !tosa.shape<3>) -> tensor<2x3x5xf32>
    %29 = "tosa.const_shape"() <{values = dense<[2, 5, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %30 = "tosa.reshape"(%arg2, %29) : (tensor<1x2x5x6xf32>, !tosa.shape<3>) -> tensor<2x5x6xf32>
    %31 = "tosa.matmul"(%28, %30, %14, %14) : (tensor<2x3x5xf32>, tensor<2x5x6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x6xf32>
    %32 = "tosa.const_shape"() <{values = dense<[1, 2, 3, 6]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %33 = "tosa.reshape"(%31, %32) : (tensor<2x3x6xf32>, !tosa.shape<4>) -> tensor<1x2x3x6xf32>
    return %33 : tensor<1x2x3x6xf32>
  }
}
