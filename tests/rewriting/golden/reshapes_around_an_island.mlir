// before
module {
  func.func @"main"(%arg0: tensor<6x1x1x4xf32> {tosa.tensor_name = "x"}) -> (tensor<6x1x1x1xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<6x1x1x4xf32>, !tosa.shape<3>) -> tensor<2x3x4xf32>
    %3 = "tosa.const"() <{values = dense<[[[0.5]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.mul"(%2, %3, %4) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %6 = "tosa.erf"(%2) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %7 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %8 = "tosa.add"(%6, %7) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %9 = "tosa.mul"(%5, %8, %4) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %10 = "tosa.reduce_sum"(%9) <{axis = 2 : i32}> : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
    %11 = "tosa.const_shape"() <{values = dense<[6, 1, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %12 = "tosa.reshape"(%10, %11) : (tensor<2x3x1xf32>, !tosa.shape<4>) -> tensor<6x1x1x1xf32>
    return %12 : tensor<6x1x1x1xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<6x1x1x4xf32> {tosa.tensor_name = "x"}) -> (tensor<6x1x1x1xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[[[[0.5]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<6x1x1x4xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<6x1x1x4xf32>
    %4 = "tosa.erf"(%arg0) : (tensor<6x1x1x4xf32>) -> tensor<6x1x1x4xf32>
    %5 = "tosa.const"() <{values = dense<[[[[1.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %6 = "tosa.add"(%4, %5) : (tensor<6x1x1x4xf32>, tensor<1x1x1x1xf32>) -> tensor<6x1x1x4xf32>
    %7 = "tosa.mul"(%3, %6, %2) : (tensor<6x1x1x4xf32>, tensor<6x1x1x4xf32>, tensor<1xi8>) -> tensor<6x1x1x4xf32>
    %8 = "tosa.reduce_sum"(%7) <{axis = 3 : i32}> : (tensor<6x1x1x4xf32>) -> tensor<6x1x1x1xf32>
    return %8 : tensor<6x1x1x1xf32>
  }
}
