// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.029999999329447746:5>> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.maximum"(%arg0, %arg1) : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>>, tensor<1x4x4x2x!quant.uniform<i16:f32, 0.029999999329447746:5>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>>
    return %2 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %3 = "tosa.cast"(%arg1) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %4 = "tosa.maximum"(%2, %3) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %5 = "tosa.cast"(%4) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi16>
    return %5 : tensor<1x4x4x2xi16>
  }
}
