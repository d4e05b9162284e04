// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.custom"(%arg0) <{custom_code = "FlexSoftmax", custom_options = "\07\53\6F\66\74\6D\61\78\00\0C\12\07\53\6F\66\74\6D\61\78\1A\01\78\00\02\17\0F\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
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
    %5 = "tosa.reciprocal"(%4) : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
    %6 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = "tosa.mul"(%3, %5, %6) : (tensor<1x4x4x2xf32>, tensor<1x4x4x1xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    return %7 : tensor<1x4x4x2xf32>
  }
}
