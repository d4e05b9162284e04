// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "x"}) -> (tensor<6x2xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = 0xBF800000 : f32, max_val = 0x40C00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = "tosa.clamp"(%1) <{min_val = 0x00000000 : f32, max_val = 0x41000000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %3 = "tosa.exp"(%2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %4 = "tosa.transpose"(%3) <{perms = array<i32: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %5 = "tosa.clamp"(%arg0) <{min_val = 0xBF800000 : f32, max_val = 0x40C00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %6 = "tosa.clamp"(%5) <{min_val = 0x00000000 : f32, max_val = 0x41000000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %7 = "tosa.exp"(%6) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %8 = "tosa.transpose"(%7) <{perms = array<i32: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %9 = "tosa.concat"(%4, %8) <{axis = 0 : i32}> : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
    return %9 : tensor<6x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "x"}) -> (tensor<6x2xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = 0x00000000 : f32, max_val = 0x40C00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = "tosa.exp"(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %3 = "tosa.transpose"(%2) <{perms = array<i32: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %4 = "tosa.concat"(%3, %3) <{axis = 0 : i32}> : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
    return %4 : tensor<6x2xf32>
  }
}
