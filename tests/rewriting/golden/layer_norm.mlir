// before
module {
  func.func @"main"(%arg0: tensor<1x2x3x6xf32> {tosa.tensor_name = "x"}) -> (tensor<1x2x3x6xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[6, 6, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x2x3x6xf32>, !tosa.shape<4>) -> tensor<6x6x1x1xf32>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tosa.avg_pool2d"(%2, %3, %3) <{kernel = array<i64: 6, 1>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32}> : (tensor<6x6x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x1x1x1xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 2, 3, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %6 = "tosa.reshape"(%4, %5) : (tensor<6x1x1x1xf32>, !tosa.shape<4>) -> tensor<1x2x3x1xf32>
    %7 = "tosa.sub"(%arg0, %6) : (tensor<1x2x3x6xf32>, tensor<1x2x3x1xf32>) -> tensor<1x2x3x6xf32>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.mul"(%7, %7, %8) : (tensor<1x2x3x6xf32>, tensor<1x2x3x6xf32>, tensor<1xi8>) -> tensor<1x2x3x6xf32>
    %10 = "tosa.reshape"(%9, %1) : (tensor<1x2x3x6xf32>, !tosa.shape<4>) -> tensor<6x6x1x1xf32>
    %11 = "tosa.avg_pool2d"(%10, %3, %3) <{kernel = array<i64: 6, 1>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32}> : (tensor<6x6x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x1x1x1xf32>
    %12 = "tosa.reshape"(%11, %5) : (tensor<6x1x1x1xf32>, !tosa.shape<4>) -> tensor<1x2x3x1xf32>
    %13 = "tosa.const"() <{values = dense<[[[[0.10000000149011612]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %14 = "tosa.add"(%12, %13) : (tensor<1x2x3x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x3x1xf32>
    %15 = "tosa.rsqrt"(%14) : (tensor<1x2x3x1xf32>) -> tensor<1x2x3x1xf32>
    %16 = "tosa.const"() <{values = dense<[[[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]]]]> : tensor<1x1x1x6xf32>}> : () -> tensor<1x1x1x6xf32>
    %17 = "tosa.mul"(%15, %16, %8) : (tensor<1x2x3x1xf32>, tensor<1x1x1x6xf32>, tensor<1xi8>) -> tensor<1x2x3x6xf32>
    %18 = "tosa.mul"(%arg0, %17, %8) : (tensor<1x2x3x6xf32>, tensor<1x2x3x6xf32>, tensor<1xi8>) -> tensor<1x2x3x6xf32>
    %19 = "tosa.negate"(%6, %3, %3) : (tensor<1x2x3x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3x1xf32>
    %20 = "tosa.mul"(%19, %17, %8) : (tensor<1x2x3x1xf32>, tensor<1x2x3x6xf32>, tensor<1xi8>) -> tensor<1x2x3x6xf32>
    %21 = "tosa.add"(%18, %20) : (tensor<1x2x3x6xf32>, tensor<1x2x3x6xf32>) -> tensor<1x2x3x6xf32>
    return %21 : tensor<1x2x3x6xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x3x6xf32> {tosa.tensor_name = "x"}) -> (tensor<1x2x3x6xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[6, 6, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x2x3x6xf32>, !tosa.shape<4>) -> tensor<6x6x1x1xf32>
    %3 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tosa.avg_pool2d"(%2, %3, %3) <{kernel = array<i64: 6, 1>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32}> : (tensor<6x6x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x1x1x1xf32>
    %5 = "tosa.sub"(%2, %4) : (tensor<6x6x1x1xf32>, tensor<6x1x1x1xf32>) -> tensor<6x6x1x1xf32>
    %6 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = "tosa.mul"(%5, %5, %6) : (tensor<6x6x1x1xf32>, tensor<6x6x1x1xf32>, tensor<1xi8>) -> tensor<6x6x1x1xf32>
    %8 = "tosa.avg_pool2d"(%7, %3, %3) <{kernel = array<i64: 6, 1>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32}> : (tensor<6x6x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x1x1x1xf32>
    %9 = "tosa.const"() <{values = dense<[[[[0.10000000149011612]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %10 = "tosa.add"(%8, %9) : (tensor<6x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<6x1x1x1xf32>
    %11 = "tosa.rsqrt"(%10) : (tensor<6x1x1x1xf32>) -> tensor<6x1x1x1xf32>
    %12 = "tosa.const"() <{values = dense<[[[[0.0]], [[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]]]]> : tensor<1x6x1x1xf32>}> : () -> tensor<1x6x1x1xf32>
    %13 = "tosa.mul"(%11, %12, %6) : (tensor<6x1x1x1xf32>, tensor<1x6x1x1xf32>, tensor<1xi8>) -> tensor<6x6x1x1xf32>
    %14 = "tosa.mul"(%2, %13, %6) : (tensor<6x6x1x1xf32>, tensor<6x6x1x1xf32>, tensor<1xi8>) -> tensor<6x6x1x1xf32>
    %15 = "tosa.mul"(%4, %13, %6) : (tensor<6x1x1x1xf32>, tensor<6x6x1x1xf32>, tensor<1xi8>) -> tensor<6x6x1x1xf32>
    %16 = "tosa.sub"(%14, %15) : (tensor<6x6x1x1xf32>, tensor<6x6x1x1xf32>) -> tensor<6x6x1x1xf32>
    %17 = "tosa.const_shape"() <{values = dense<[1, 2, 3, 6]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %18 = "tosa.reshape"(%16, %17) : (tensor<6x6x1x1xf32>, !tosa.shape<4>) -> tensor<1x2x3x6xf32>
    return %18 : tensor<1x2x3x6xf32>
  }
}
