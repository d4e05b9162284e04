// before
module {
  func.func @"main"(%arg0: tensor<1x3x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x3x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "TransformLandmarks", custom_options = "\00\00\01\00\00\24\01"}> : (tensor<1x3x2xf32>, tensor<1x4x4xf32>) -> tensor<1x3x2xf32>
    return %2 : tensor<1x3x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x3x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x3x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.const_shape"() <{values = dense<[1, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.slice"(%arg0, %2, %3) : (tensor<1x3x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 2, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.slice"(%arg1, %2, %5) : (tensor<1x4x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x2x4xf32>
    %7 = "tosa.transpose"(%6) <{perms = array<i32: 0, 2, 1>}> : (tensor<1x2x4xf32>) -> tensor<1x4x2xf32>
    %8 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %9 = "tosa.slice"(%7, %2, %8) : (tensor<1x4x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x2xf32>
    %10 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %11 = "tosa.mul"(%4, %9, %10) : (tensor<1x3x1xf32>, tensor<1x1x2xf32>, tensor<1xi8>) -> tensor<1x3x2xf32>
    %12 = "tosa.const_shape"() <{values = dense<[0, 0, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %13 = "tosa.slice"(%arg0, %12, %3) : (tensor<1x3x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32>
    %14 = "tosa.const_shape"() <{values = dense<[0, 1, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %15 = "tosa.slice"(%7, %14, %8) : (tensor<1x4x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x2xf32>
    %16 = "tosa.mul"(%13, %15, %10) : (tensor<1x3x1xf32>, tensor<1x1x2xf32>, tensor<1xi8>) -> tensor<1x3x2xf32>
    %17 = "tosa.add"(%11, %16) : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    %18 = "tosa.const_shape"() <{values = dense<[0, 3, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %19 = "tosa.slice"(%7, %18, %8) : (tensor<1x4x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x2xf32>
    %20 = "tosa.add"(%17, %19) : (tensor<1x3x2xf32>, tensor<1x1x2xf32>) -> tensor<1x3x2xf32>
    return %20 : tensor<1x3x2xf32>
  }
}
