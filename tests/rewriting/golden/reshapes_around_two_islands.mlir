// before
module {
  func.func @"main"(%arg0: tensor<6x1x1x4xf32> {tosa.tensor_name = "x"}) -> (tensor<6x1x1x4xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 6, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<6x1x1x4xf32>, !tosa.shape<3>) -> tensor<1x6x4xf32>
    %3 = "tosa.reduce_sum"(%2) <{axis = 2 : i32}> : (tensor<1x6x4xf32>) -> tensor<1x6x1xf32>
    %4 = "tosa.const_shape"() <{values = dense<[6]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x6x1xf32>, !tosa.shape<1>) -> tensor<6xf32>
    %6 = "tosa.exp"(%5) : (tensor<6xf32>) -> tensor<6xf32>
    %7 = "tosa.const_shape"() <{values = dense<[1, 6, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %8 = "tosa.reshape"(%6, %7) : (tensor<6xf32>, !tosa.shape<3>) -> tensor<1x6x1xf32>
    %9 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.mul"(%2, %8, %9) : (tensor<1x6x4xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x4xf32>
    %11 = "tosa.const_shape"() <{values = dense<[6, 1, 1, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %12 = "tosa.reshape"(%10, %11) : (tensor<1x6x4xf32>, !tosa.shape<4>) -> tensor<6x1x1x4xf32>
    return %12 : tensor<6x1x1x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<6x1x1x4xf32> {tosa.tensor_name = "x"}) -> (tensor<6x1x1x4xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reduce_sum"(%arg0) <{axis = 3 : i32}> : (tensor<6x1x1x4xf32>) -> tensor<6x1x1x1xf32>
    %2 = "tosa.exp"(%1) : (tensor<6x1x1x1xf32>) -> tensor<6x1x1x1xf32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%arg0, %2, %3) : (tensor<6x1x1x4xf32>, tensor<6x1x1x1xf32>, tensor<1xi8>) -> tensor<6x1x1x4xf32>
    return %4 : tensor<6x1x1x4xf32>
  }
}
