// before
module {
  func.func @"main"(%arg0: tensor<1x8x8x8xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<8xf32> {tosa.tensor_name = "x1"}, %arg2: tensor<8xf32> {tosa.tensor_name = "x2"}) -> (tensor<1x8x8x8xf32> {tosa.tensor_name = ""}, tensor<8xf32> {tosa.tensor_name = ""}, tensor<8xf32> {tosa.tensor_name = ""}) {
    %3, %4, %5 = "aten._native_batch_norm_legit.no_stats_out"(%arg0, %arg1, %arg2) <{training = true, momentum = 0x3DCCCCCD : f32, eps = 0x3727C5AC : f32}> : (tensor<1x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<1x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>)
    return %3, %4, %5 : tensor<1x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x8x8x8xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<8xf32> {tosa.tensor_name = "x1"}, %arg2: tensor<8xf32> {tosa.tensor_name = "x2"}) -> (tensor<1x8x8x8xf32> {tosa.tensor_name = ""}, tensor<8xf32> {tosa.tensor_name = "_1"}, tensor<8xf32> {tosa.tensor_name = "_2"}) {
    %3 = "tosa.const_shape"() <{values = dense<[8, 64, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%arg0, %3) : (tensor<1x8x8x8xf32>, !tosa.shape<3>) -> tensor<8x64x1xf32>
    %5 = "tosa.reduce_sum"(%4) <{axis = 1 : i32}> : (tensor<8x64x1xf32>) -> tensor<8x1x1xf32>
    %6 = "tosa.const"() <{values = dense<[[[0.015625]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %7 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.mul"(%5, %6, %7) : (tensor<8x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<8x1x1xf32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 8, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %10 = "tosa.reshape"(%8, %9) : (tensor<8x1x1xf32>, !tosa.shape<4>) -> tensor<1x8x1x1xf32>
    %11 = "tosa.sub"(%arg0, %10) : (tensor<1x8x8x8xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x8x8xf32>
    %12 = "tosa.mul"(%11, %11, %7) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>, tensor<1xi8>) -> tensor<1x8x8x8xf32>
    %13 = "tosa.reshape"(%12, %3) : (tensor<1x8x8x8xf32>, !tosa.shape<3>) -> tensor<8x64x1xf32>
    %14 = "tosa.reduce_sum"(%13) <{axis = 1 : i32}> : (tensor<8x64x1xf32>) -> tensor<8x1x1xf32>
    %15 = "tosa.mul"(%14, %6, %7) : (tensor<8x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<8x1x1xf32>
    %16 = "tosa.reshape"(%15, %9) : (tensor<8x1x1xf32>, !tosa.shape<4>) -> tensor<1x8x1x1xf32>
    %17 = "tosa.const"() <{values = dense<[[[[9.999999747378752e-06]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %18 = "tosa.add"(%16, %17) : (tensor<1x8x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x8x1x1xf32>
    %19 = "tosa.rsqrt"(%18) : (tensor<1x8x1x1xf32>) -> tensor<1x8x1x1xf32>
    %20 = "tosa.mul"(%11, %19, %7) : (tensor<1x8x8x8xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x8x8xf32>
    %21 = "tosa.const_shape"() <{values = dense<[8, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %22 = "tosa.reshape"(%arg1, %21) : (tensor<8xf32>, !tosa.shape<3>) -> tensor<8x1x1xf32>
    %23 = "tosa.reshape"(%22, %9) : (tensor<8x1x1xf32>, !tosa.shape<4>) -> tensor<1x8x1x1xf32>
    %24 = "tosa.mul"(%20, %23, %7) : (tensor<1x8x8x8xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x8x8xf32>
    %25 = "tosa.reshape"(%arg2, %21) : (tensor<8xf32>, !tosa.shape<3>) -> tensor<8x1x1xf32>
    %26 = "tosa.reshape"(%25, %9) : (tensor<8x1x1xf32>, !tosa.shape<4>) -> tensor<1x8x1x1xf32>
    %27 = "tosa.add"(%24, %26) : (tensor<1x8x8x8xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x8x8xf32>
    %28 = "tosa.const_shape"() <{values = dense<[8]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %29 = "tosa.reshape"(%10, %28) : (tensor<1x8x1x1xf32>, !tosa.shape<1>) -> tensor<8xf32>
    %30 = "tosa.reshape"(%19, %28) : (tensor<1x8x1x1xf32>, !tosa.shape<1>) -> tensor<8xf32>
    return %27, %29, %30 : tensor<1x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>
  }
}
