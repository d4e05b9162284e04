// before
module {
  func.func @"main"(%arg0: tensor<1x3x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x3x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "TransformLandmarks", custom_options = "\00\00\01\00\00\24\01"}> : (tensor<1x3x2xf32>, tensor<1x4x4xf32>) -> tensor<1x3x2xf32> loc("main:0 CUSTOM 't2'")
    return %2 : tensor<1x3x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x3x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x3x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 CUSTOM 't2'")
    %3 = "tosa.const_shape"() <{values = dense<[1, 2, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 CUSTOM 't2'")
    %4 = "tosa.slice"(%arg1, %2, %3) : (tensor<1x4x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x2x4xf32> loc("main:0 CUSTOM 't2'")
    %5 = "tosa.transpose"(%4) <{perms = array<i32: 0, 2, 1>}> : (tensor<1x2x4xf32>) -> tensor<1x4x2xf32> loc("main:0 CUSTOM 't2'")
    %6 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 CUSTOM 't2'")
    %7 = "tosa.slice"(%5, %2, %6) : (tensor<1x4x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x2xf32> loc("main:0 CUSTOM 't2'")
    %8 = "tosa.const_shape"() <{values = dense<[0, 1, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 CUSTOM 't2'")
    %9 = "tosa.slice"(%5, %8, %6) : (tensor<1x4x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x2xf32> loc("main:0 CUSTOM 't2'")
    %10 = "tosa.const_shape"() <{values = dense<[0, 3, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 CUSTOM 't2'")
    %11 = "tosa.slice"(%5, %10, %6) : (tensor<1x4x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x2xf32> loc("main:0 CUSTOM 't2'")
    %12 = "tosa.const_shape"() <{values = dense<[1, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 CUSTOM 't2'")
    %13 = "tosa.slice"(%arg0, %2, %12) : (tensor<1x3x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32> loc("main:0 CUSTOM 't2'")
    %14 = "tosa.const_shape"() <{values = dense<[0, 0, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 CUSTOM 't2'")
    %15 = "tosa.slice"(%arg0, %14, %12) : (tensor<1x3x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32> loc("main:0 CUSTOM 't2'")
    %16 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 CUSTOM 't2'")
    %17 = "tosa.mul"(%13, %7, %16) : (tensor<1x3x1xf32>, tensor<1x1x2xf32>, tensor<1xi8>) -> tensor<1x3x2xf32> loc("main:0 CUSTOM 't2'")
    %18 = "tosa.mul"(%15, %9, %16) : (tensor<1x3x1xf32>, tensor<1x1x2xf32>, tensor<1xi8>) -> tensor<1x3x2xf32> loc("main:0 CUSTOM 't2'")
    %19 = "tosa.add"(%17, %18) : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32> loc("main:0 CUSTOM 't2'")
    %20 = "tosa.add"(%19, %11) : (tensor<1x3x2xf32>, tensor<1x1x2xf32>) -> tensor<1x3x2xf32> loc("main:0 CUSTOM 't2'")
    return %20 : tensor<1x3x2xf32>
  }
}
