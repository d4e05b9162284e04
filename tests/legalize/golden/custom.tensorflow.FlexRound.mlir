// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.custom"(%arg0) <{custom_code = "FlexRound", custom_options = "\05\52\6F\75\6E\64\00\0A\12\05\52\6F\75\6E\64\1A\01\78\00\02\13\0D\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %1 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = 0xCB000000 : f32, max_val = 0x4B000000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %2 = "tosa.equal"(%1, %arg0) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1>
    %3 = "tosa.cast"(%1) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi32>
    %4 = "tosa.cast"(%3) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xf32>
    %5 = "tosa.select"(%2, %4, %arg0) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %5 : tensor<1x4x4x2xf32>
  }
}
