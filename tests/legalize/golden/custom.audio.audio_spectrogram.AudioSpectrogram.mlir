// before
module {
  func.func @"main"(%arg0: tensor<9x1xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.custom"(%arg0) <{custom_code = "AudioSpectrogram", custom_options = "\77\69\6E\64\6F\77\5F\73\69\7A\65\00\73\74\72\69\64\65\00\6D\61\67\6E\69\74\75\64\65\5F\73\71\75\61\72\65\64\00\03\13\1B\28\03\01\03\00\02\04\68\04\04\06\24\01"}> : (tensor<9x1xf32>) -> tensor<1x3x3xf32>
    return %1 : tensor<1x3x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<9x1xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 1, 0>}> : (tensor<9x1xf32>) -> tensor<1x9xf32>
    %2 = "tosa.const_shape"() <{values = dense<[1, 9, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.reshape"(%1, %2) : (tensor<1x9xf32>, !tosa.shape<4>) -> tensor<1x9x1x1xf32>
    %4 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.const_shape"() <{values = dense<[1, 8, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %6 = "tosa.slice"(%3, %4, %5) : (tensor<1x9x1x1xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x8x1x1xf32>
    %7 = "tosa.const"() <{values = dense<sha256 5c60162301869936> : tensor<6x4x1x1xf32>}> : () -> tensor<6x4x1x1xf32>
    %8 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %9 = "tosa.conv2d"(%6, %7, %8, %8, %8) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 1>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<1x8x1x1xf32>, tensor<6x4x1x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x1x6xf32>
    %10 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %11 = "tosa.mul"(%9, %9, %10) : (tensor<1x3x1x6xf32>, tensor<1x3x1x6xf32>, tensor<1xi8>) -> tensor<1x3x1x6xf32>
    %12 = "tosa.const_shape"() <{values = dense<[1, 3, 1, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %13 = "tosa.slice"(%11, %4, %12) : (tensor<1x3x1x6xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x3x1x3xf32>
    %14 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %15 = "tosa.slice"(%11, %14, %12) : (tensor<1x3x1x6xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x3x1x3xf32>
    %16 = "tosa.add"(%13, %15) : (tensor<1x3x1x3xf32>, tensor<1x3x1x3xf32>) -> tensor<1x3x1x3xf32>
    %17 = "tosa.rsqrt"(%16) : (tensor<1x3x1x3xf32>) -> tensor<1x3x1x3xf32>
    %18 = "tosa.reciprocal"(%17) : (tensor<1x3x1x3xf32>) -> tensor<1x3x1x3xf32>
    %19 = "tosa.const_shape"() <{values = dense<[1, 3, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %20 = "tosa.reshape"(%18, %19) : (tensor<1x3x1x3xf32>, !tosa.shape<3>) -> tensor<1x3x3xf32>
    return %20 : tensor<1x3x3xf32>
  }
}
