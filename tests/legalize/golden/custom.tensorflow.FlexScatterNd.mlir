// before
module {
  func.func @"main"(%arg0: tensor<3xf32> {tosa.tensor_name = "t1"}) -> (tensor<5xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[1], [3], [1]]> : tensor<3x1xi32>}> : () -> tensor<3x1xi32>
    %2 = "tfl.pseudo_const"() <{values = dense<[5]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tfl.custom"(%1, %arg0, %2) <{custom_code = "FlexScatterNd", custom_options = "\09\53\63\61\74\74\65\72\4E\64\00\0E\12\09\53\63\61\74\74\65\72\4E\64\1A\01\78\00\02\1B\11\14\14\04\28\01"}> : (tensor<3x1xi32>, tensor<3xf32>, tensor<1xi32>) -> tensor<5xf32>
    return %3 : tensor<5xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3xf32> {tosa.tensor_name = "t1"}) -> (tensor<5xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<3xf32>, !tosa.shape<3>) -> tensor<1x3x1xf32>
    %3 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 1, 0, 0]> : tensor<6xindex>}> : () -> !tosa.shape<6>
    %4 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %5 = "tosa.pad"(%2, %3, %4) : (tensor<1x3x1xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<1x4x1xf32>
    %6 = "tosa.const"() <{values = dense<[[3, 3, 0, 2, 3, 3, 1, 3, 3, 3]]> : tensor<1x10xi32>}> : () -> tensor<1x10xi32>
    %7 = "tosa.gather"(%5, %6) : (tensor<1x4x1xf32>, tensor<1x10xi32>) -> tensor<1x10x1xf32>
    %8 = "tosa.const_shape"() <{values = dense<[5, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %9 = "tosa.reshape"(%7, %8) : (tensor<1x10x1xf32>, !tosa.shape<3>) -> tensor<5x2x1xf32>
    %10 = "tosa.reduce_sum"(%9) <{axis = 1 : i32}> : (tensor<5x2x1xf32>) -> tensor<5x1x1xf32>
    %11 = "tosa.const_shape"() <{values = dense<[5]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %12 = "tosa.reshape"(%10, %11) : (tensor<5x1x1xf32>, !tosa.shape<1>) -> tensor<5xf32>
    return %12 : tensor<5xf32>
  }
}
