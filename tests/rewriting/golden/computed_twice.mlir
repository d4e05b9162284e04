// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "x"}) -> (tensor<6x2xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = "tosa.const"() <{values = dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>}> : () -> tensor<1x3xf32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%1, %2, %3) : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    %5 = "tosa.const_shape"() <{values = dense<[3, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %6 = "tosa.reshape"(%4, %5) : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
    %7 = "tosa.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %8 = "tosa.const"() <{values = dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>}> : () -> tensor<1x3xf32>
    %9 = "tosa.mul"(%7, %8, %3) : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    %10 = "tosa.reshape"(%9, %5) : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
    %11 = "tosa.concat"(%6, %10) <{axis = 0 : i32}> : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
    return %11 : tensor<6x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "x"}) -> (tensor<6x2xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = "tosa.const"() <{values = dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>}> : () -> tensor<1x3xf32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%1, %2, %3) : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    %5 = "tosa.const_shape"() <{values = dense<[3, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %6 = "tosa.reshape"(%4, %5) : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
    %7 = "tosa.concat"(%6, %6) <{axis = 0 : i32}> : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
    return %7 : tensor<6x2xf32>
  }
}
