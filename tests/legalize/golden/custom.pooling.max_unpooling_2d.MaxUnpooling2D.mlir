// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) -> (tensor<1x8x8x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "MaxUnpooling2D", custom_options = "\01\00\00\00\02\00\00\00\02\00\00\00\02\00\00\00\02\00\00\00\00\00\00\00"}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xi32>) -> tensor<1x8x8x2xf32>
    return %2 : tensor<1x8x8x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) -> (tensor<1x8x8x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<sha256 076a27c79e5ace2a> : tensor<1x128x1xf32>}> : () -> tensor<1x128x1xf32>
    %3 = "tosa.const_shape"() <{values = dense<[1, 32]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %4 = "tosa.reshape"(%arg1, %3) : (tensor<1x4x4x2xi32>, !tosa.shape<2>) -> tensor<1x32xi32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 32, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.reshape"(%arg0, %5) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x32x1xf32>
    %7 = "tosa.scatter"(%2, %4, %6) : (tensor<1x128x1xf32>, tensor<1x32xi32>, tensor<1x32x1xf32>) -> tensor<1x128x1xf32>
    %8 = "tosa.const_shape"() <{values = dense<[1, 8, 8, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %9 = "tosa.reshape"(%7, %8) : (tensor<1x128x1xf32>, !tosa.shape<4>) -> tensor<1x8x8x2xf32>
    return %9 : tensor<1x8x8x2xf32>
  }
}
