// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x2x2xf32> {tosa.tensor_name = "t1"}, tensor<1x2x2x2xf32> {tosa.tensor_name = "t2"}) {
    %1, %2 = "tfl.custom"(%arg0) <{custom_code = "MaxPoolWithArgmax", custom_options = "\70\61\64\64\69\6E\67\00\04\53\41\4D\45\00\6B\73\69\7A\65\00\04\01\02\02\01\04\04\04\04\73\74\72\69\64\65\73\00\04\01\02\02\01\04\04\04\04\69\6E\63\6C\75\64\65\5F\62\61\74\63\68\5F\69\6E\5F\69\6E\64\65\78\00\04\18\39\48\2C\04\01\04\00\39\46\2A\68\28\14\28\08\24\01"}> : (tensor<1x4x4x2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>)
    return %1, %2 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x2x2xf32> {tosa.tensor_name = "t1"}, tensor<1x2x2x2xi32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32>
    %3 = "tosa.const"() <{values = dense<[[0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]]> : tensor<1x16xi32>}> : () -> tensor<1x16xi32>
    %4 = "tosa.gather"(%2, %3) : (tensor<1x16x2xf32>, tensor<1x16xi32>) -> tensor<1x16x2xf32>
    %5 = "tosa.const_shape"() <{values = dense<[4, 4, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x16x2xf32>, !tosa.shape<3>) -> tensor<4x4x2xf32>
    %7 = "tosa.reduce_max"(%6) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<4x4x2xf32>) -> tensor<4x1x2xf32>
    %8 = "tosa.clamp"(%7) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<4x1x2xf32>) -> tensor<4x1x2xf32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 2, 2, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %10 = "tosa.reshape"(%8, %9) : (tensor<4x1x2xf32>, !tosa.shape<4>) -> tensor<1x2x2x2xf32>
    %11 = "tosa.const"() <{values = dense<[[[0], [1], [4], [5], [2], [3], [6], [7], [8], [9], [12], [13], [10], [11], [14], [15]]]> : tensor<1x16x1xi32>}> : () -> tensor<1x16x1xi32>
    %12 = "tosa.argmax"(%6) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<4x4x2xf32>) -> tensor<4x2xi32>
    %13 = "tosa.const"() <{values = dense<[[0], [4], [8], [12]]> : tensor<4x1xi32>}> : () -> tensor<4x1xi32>
    %14 = "tosa.add"(%12, %13) : (tensor<4x2xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %15 = "tosa.const_shape"() <{values = dense<[1, 8]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %16 = "tosa.reshape"(%14, %15) : (tensor<4x2xi32>, !tosa.shape<2>) -> tensor<1x8xi32>
    %17 = "tosa.gather"(%11, %16) : (tensor<1x16x1xi32>, tensor<1x8xi32>) -> tensor<1x8x1xi32>
    %18 = "tosa.reshape"(%17, %9) : (tensor<1x8x1xi32>, !tosa.shape<4>) -> tensor<1x2x2x2xi32>
    %19 = "tosa.const"() <{values = dense<[[[[2]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %20 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %21 = "tosa.mul"(%18, %19, %20) : (tensor<1x2x2x2xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x2x2x2xi32>
    %22 = "tosa.const"() <{values = dense<[[[[0, 1]]]]> : tensor<1x1x1x2xi32>}> : () -> tensor<1x1x1x2xi32>
    %23 = "tosa.add"(%21, %22) : (tensor<1x2x2x2xi32>, tensor<1x1x1x2xi32>) -> tensor<1x2x2x2xi32>
    return %10, %23 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xi32>
  }
}
