// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.bucketize"(%arg0) <{boundaries = [0x3F000000 : f32, 0x40000000 : f32]}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi32>
    return %1 : tensor<1x4x4x2xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[[0.5, 2.0]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
    %2 = "tosa.const_shape"() <{values = dense<[32, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<2>) -> tensor<32x1xf32>
    %4 = "tosa.greater"(%1, %3) : (tensor<1x2xf32>, tensor<32x1xf32>) -> tensor<32x2xi1>
    %5 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %6 = "tosa.const"() <{values = dense<[[1]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %7 = "tosa.select"(%4, %5, %6) : (tensor<32x2xi1>, tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<32x2xi32>
    %8 = "tosa.reduce_sum"(%7) <{axis = 1 : i32}> : (tensor<32x2xi32>) -> tensor<32x1xi32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %10 = "tosa.reshape"(%8, %9) : (tensor<32x1xi32>, !tosa.shape<4>) -> tensor<1x4x4x2xi32>
    return %10 : tensor<1x4x4x2xi32>
  }
}
