// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) -> (tensor<1x8x8x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "MaxUnpooling2D", custom_options = "\01\00\00\00\02\00\00\00\02\00\00\00\02\00\00\00\02\00\00\00\00\00\00\00"}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xi32>) -> tensor<1x8x8x2xf32> loc("main:0 CUSTOM 't2'")
    return %2 : tensor<1x8x8x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) -> (tensor<1x8x8x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const_shape"() <{values = dense<[1, 32, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 CUSTOM 't2'")
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x32x1xf32> loc("main:0 CUSTOM 't2'")
    %4 = "tosa.const_shape"() <{values = dense<[1, 32]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 CUSTOM 't2'")
    %5 = "tosa.reshape"(%arg1, %4) : (tensor<1x4x4x2xi32>, !tosa.shape<2>) -> tensor<1x32xi32> loc("main:0 CUSTOM 't2'")
    %6 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x128x1xf32>}> : () -> tensor<1x128x1xf32> loc("main:0 CUSTOM 't2'")
    %7 = "tosa.scatter"(%6, %5, %3) : (tensor<1x128x1xf32>, tensor<1x32xi32>, tensor<1x32x1xf32>) -> tensor<1x128x1xf32> loc("main:0 CUSTOM 't2'")
    %8 = "tosa.const_shape"() <{values = dense<[1, 8, 8, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 CUSTOM 't2'")
    %9 = "tosa.reshape"(%7, %8) : (tensor<1x128x1xf32>, !tosa.shape<4>) -> tensor<1x8x8x2xf32> loc("main:0 CUSTOM 't2'")
    return %9 : tensor<1x8x8x2xf32>
  }
}
