// before
module {
  func.func @"main"(%arg0: tensor<1x1x1x8xf32> {tosa.tensor_name = "x"}) -> (tensor<1x1x1x8xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 8]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x1x1x8xf32>, !tosa.shape<2>) -> tensor<1x8xf32>
    %3 = "tosa.reduce_sum"(%2) <{axis = 1 : i32}> : (tensor<1x8xf32>) -> tensor<1x1xf32>
    %4 = "tosa.const"() <{values = dense<[[0.125]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.mul"(%3, %4, %5) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32>
    %7 = "tosa.sub"(%2, %6) : (tensor<1x8xf32>, tensor<1x1xf32>) -> tensor<1x8xf32>
    %8 = "tosa.const"() <{values = dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]]> : tensor<1x8xf32>}> : () -> tensor<1x8xf32>
    %9 = "tosa.mul"(%7, %8, %5) : (tensor<1x8xf32>, tensor<1x8xf32>, tensor<1xi8>) -> tensor<1x8xf32>
    %10 = "tosa.add"(%9, %7) : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
    %11 = "tosa.clamp"(%10) <{min_val = 0x00000000 : f32, max_val = 0x40C00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %12 = "tosa.const_shape"() <{values = dense<[1, 1, 1, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %13 = "tosa.reshape"(%11, %12) : (tensor<1x8xf32>, !tosa.shape<4>) -> tensor<1x1x1x8xf32>
    return %13 : tensor<1x1x1x8xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x1x1x8xf32> {tosa.tensor_name = "x"}) -> (tensor<1x1x1x8xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reduce_sum"(%arg0) <{axis = 3 : i32}> : (tensor<1x1x1x8xf32>) -> tensor<1x1x1x1xf32>
    %2 = "tosa.const"() <{values = dense<[[[[0.125]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%1, %2, %3) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32>
    %5 = "tosa.sub"(%arg0, %4) : (tensor<1x1x1x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x8xf32>
    %6 = "tosa.const"() <{values = dense<[[[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]]]]> : tensor<1x1x1x8xf32>}> : () -> tensor<1x1x1x8xf32>
    %7 = "tosa.mul"(%5, %6, %3) : (tensor<1x1x1x8xf32>, tensor<1x1x1x8xf32>, tensor<1xi8>) -> tensor<1x1x1x8xf32>
    %8 = "tosa.add"(%7, %5) : (tensor<1x1x1x8xf32>, tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
    %9 = "tosa.clamp"(%8) <{min_val = 0x00000000 : f32, max_val = 0x40C00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
    return %9 : tensor<1x1x1x8xf32>
  }
}
