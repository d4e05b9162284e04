// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_30"}) {
    %1 = "aten.round.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_30"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = 0xCB000000 : f32, max_val = 0x4B000000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %2 = "tosa.equal"(%1, %arg0) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %3 = "tosa.cast"(%1) : (tensor<2x3x4xf32>) -> tensor<2x3x4xi32>
    %4 = "tosa.cast"(%3) : (tensor<2x3x4xi32>) -> tensor<2x3x4xf32>
    %5 = "tosa.select"(%2, %4, %arg0) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %5 : tensor<2x3x4xf32>
  }
}
