// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x"}) -> (tensor<4x3x4xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 12]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<2x12xf32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%2, %2, %3) : (tensor<2x12xf32>, tensor<2x12xf32>, tensor<1xi8>) -> tensor<2x12xf32>
    %5 = "tosa.exp"(%4) : (tensor<2x12xf32>) -> tensor<2x12xf32>
    %6 = "tosa.const_shape"() <{values = dense<[2, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %7 = "tosa.reshape"(%5, %6) : (tensor<2x12xf32>, !tosa.shape<3>) -> tensor<2x3x4xf32>
    %8 = "tosa.reverse"(%4) <{axis = 0 : i32}> : (tensor<2x12xf32>) -> tensor<2x12xf32>
    %9 = "tosa.reshape"(%8, %6) : (tensor<2x12xf32>, !tosa.shape<3>) -> tensor<2x3x4xf32>
    %10 = "tosa.concat"(%7, %9) <{axis = 0 : i32}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<4x3x4xf32>
    return %10 : tensor<4x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x"}) -> (tensor<4x3x4xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.mul"(%arg0, %arg0, %1) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %3 = "tosa.exp"(%2) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %4 = "tosa.const_shape"() <{values = dense<[2, 12]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %5 = "tosa.reshape"(%2, %4) : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<2x12xf32>
    %6 = "tosa.reverse"(%5) <{axis = 0 : i32}> : (tensor<2x12xf32>) -> tensor<2x12xf32>
    %7 = "tosa.const_shape"() <{values = dense<[2, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %8 = "tosa.reshape"(%6, %7) : (tensor<2x12xf32>, !tosa.shape<3>) -> tensor<2x3x4xf32>
    %9 = "tosa.concat"(%3, %8) <{axis = 0 : i32}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<4x3x4xf32>
    return %9 : tensor<4x3x4xf32>
  }
}
