// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x1xf32> {tosa.tensor_name = "t2"}, tensor<1x4x4x1xi32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %2, %3 = "tfl.custom"(%arg0, %1) <{custom_code = "FlexTopKV2", custom_options = "\06\54\6F\70\4B\56\32\00\0B\12\06\54\6F\70\4B\56\32\1A\01\78\00\02\15\0E\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<i32>) -> (tensor<1x4x4x1xf32>, tensor<1x4x4x1xi32>)
    return %2, %3 : tensor<1x4x4x1xf32>, tensor<1x4x4x1xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x1xf32> {tosa.tensor_name = "t2"}, tensor<1x4x4x1xi32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[16, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<2>) -> tensor<16x2xf32>
    %3 = "tosa.const_shape"() <{values = dense<[16, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%2, %3) : (tensor<16x2xf32>, !tosa.shape<3>) -> tensor<16x2x1xf32>
    %5 = "tosa.equal"(%2, %2) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xi1>
    %6 = "tosa.const"() <{values = dense<[[-inf]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %7 = "tosa.select"(%5, %2, %6) : (tensor<16x2xi1>, tensor<16x2xf32>, tensor<1x1xf32>) -> tensor<16x2xf32>
    %8 = "tosa.reduce_max"(%7) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<16x2xf32>) -> tensor<16x1xf32>
    %9 = "tosa.equal"(%7, %8) : (tensor<16x2xf32>, tensor<16x1xf32>) -> tensor<16x2xi1>
    %10 = "tosa.const"() <{values = dense<[[0, 1]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %11 = "tosa.const"() <{values = dense<[[2]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %12 = "tosa.select"(%9, %10, %11) : (tensor<16x2xi1>, tensor<1x2xi32>, tensor<1x1xi32>) -> tensor<16x2xi32>
    %13 = "tosa.reduce_min"(%12) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<16x2xi32>) -> tensor<16x1xi32>
    %14 = "tosa.gather"(%4, %13) : (tensor<16x2x1xf32>, tensor<16x1xi32>) -> tensor<16x1x1xf32>
    %15 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %16 = "tosa.reshape"(%14, %15) : (tensor<16x1x1xf32>, !tosa.shape<4>) -> tensor<1x4x4x1xf32>
    %17 = "tosa.reshape"(%13, %15) : (tensor<16x1xi32>, !tosa.shape<4>) -> tensor<1x4x4x1xi32>
    return %16, %17 : tensor<1x4x4x1xf32>, tensor<1x4x4x1xi32>
  }
}
