// before
module {
  func.func @"main"(%arg0: tensor<4x30xf16> {tosa.tensor_name = "in0"}) -> (tensor<4x30xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = 0xBE00 : f16, max_val = 0x4080 : f16, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x30xf16>) -> tensor<4x30xf16>
    return %1 : tensor<4x30xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x30xf16> {tosa.tensor_name = "in0"}) -> (tensor<4x30xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<2.25> : tensor<f32>}> : () -> tensor<f32>
    %2 = "tfl.pseudo_const"() <{values = dense<-1.5> : tensor<f32>}> : () -> tensor<f32>
    %3 = "tfl.cast"(%arg0) : (tensor<4x30xf16>) -> tensor<4x30xf32>
    %4 = "tfl.maximum"(%2, %3) : (tensor<f32>, tensor<4x30xf32>) -> tensor<4x30xf32>
    %5 = "tfl.minimum"(%1, %4) : (tensor<f32>, tensor<4x30xf32>) -> tensor<4x30xf32>
    %6 = "tfl.cast"(%5) : (tensor<4x30xf32>) -> tensor<4x30xf16>
    return %6 : tensor<4x30xf16>
  }
}
