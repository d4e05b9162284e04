// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.neg"(%arg0) : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>>
    return %1 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tosa.negate"(%1, %2, %2) : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %4 = "tosa.cast"(%3) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi16>
    return %4 : tensor<1x4x4x2xi16>
  }
}
