// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.custom"(%arg0) <{custom_code = "FlexLogSoftmax", custom_options = "\0A\4C\6F\67\53\6F\66\74\6D\61\78\00\0F\12\0A\4C\6F\67\53\6F\66\74\6D\61\78\1A\01\78\00\02\1D\12\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %1 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.reduce_max"(%arg0) <{axis = 3 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x1xf32>
    %2 = "tosa.sub"(%arg0, %1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32>
    %3 = "tosa.exp"(%2) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %4 = "tosa.reduce_sum"(%3) <{axis = 3 : i32}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x1xf32>
    %5 = "tosa.log"(%4) : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
    %6 = "tosa.sub"(%2, %5) : (tensor<1x4x4x2xf32>, tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32>
    return %6 : tensor<1x4x4x2xf32>
  }
}
