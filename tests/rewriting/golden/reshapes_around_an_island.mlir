// before
module {
  func.func @"main"(%arg0: tensor<6x1x1x4xf32> {tosa.tensor_name = "x"}) -> (tensor<6x1x1x1xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[2, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<6x1x1x4xf32>, !tosa.shape<3>) -> tensor<2x3x4xf32> loc("")
    %3 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("")
    %4 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %5 = "tosa.mul"(%2, %3, %4) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("")
    %6 = "tosa.erf"(%2) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc("")
    %7 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("")
    %8 = "tosa.add"(%6, %7) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32> loc("")
    %9 = "tosa.mul"(%5, %8, %4) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32> loc("")
    %10 = "tosa.reduce_sum"(%9) <{axis = 2 : i32}> : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32> loc("")
    %11 = "tosa.const_shape"() <{values = dense<[6, 1, 1, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("")
    %12 = "tosa.reshape"(%10, %11) : (tensor<2x3x1xf32>, !tosa.shape<4>) -> tensor<6x1x1x1xf32> loc("")
    return %12 : tensor<6x1x1x1xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<6x1x1x4xf32> {tosa.tensor_name = "x"}) -> (tensor<6x1x1x1xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("")
    %2 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<6x1x1x4xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<6x1x1x4xf32> loc("")
    %4 = "tosa.erf"(%arg0) : (tensor<6x1x1x4xf32>) -> tensor<6x1x1x4xf32> loc("")
    %5 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("")
    %6 = "tosa.add"(%4, %5) : (tensor<6x1x1x4xf32>, tensor<1x1x1x1xf32>) -> tensor<6x1x1x4xf32> loc("")
    %7 = "tosa.mul"(%3, %6, %2) : (tensor<6x1x1x4xf32>, tensor<6x1x1x4xf32>, tensor<1xi8>) -> tensor<6x1x1x4xf32> loc("")
    %8 = "tosa.reduce_sum"(%7) <{axis = 3 : i32}> : (tensor<6x1x1x4xf32>) -> tensor<6x1x1x1xf32> loc("")
    return %8 : tensor<6x1x1x1xf32>
  }
}
