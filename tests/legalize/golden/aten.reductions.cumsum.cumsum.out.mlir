// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_6"}) {
    %1 = "aten.cumsum.out"(%arg0) <{dim = 1 : i64, dtype = "None"}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_6"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.const_shape"() <{values = dense<[2, 2, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<2x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x2x4xf32>
    %4 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 0, 0, 0]> : tensor<6xindex>}> : () -> !tosa.shape<6>
    %5 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %6 = "tosa.pad"(%3, %4, %5) : (tensor<2x2x4xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %7 = "tosa.add"(%arg0, %6) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %8 = "tosa.const_shape"() <{values = dense<[2, 1, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %9 = "tosa.slice"(%7, %1, %8) : (tensor<2x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x1x4xf32>
    %10 = "tosa.const_shape"() <{values = dense<[0, 0, 2, 0, 0, 0]> : tensor<6xindex>}> : () -> !tosa.shape<6>
    %11 = "tosa.pad"(%9, %10, %5) : (tensor<2x1x4xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %12 = "tosa.add"(%7, %11) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %12 : tensor<2x3x4xf32>
  }
}
