// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.elu"(%arg0) : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>>
    return %1 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 85db5b892f1e7e67> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tosa.table"(%arg0, %1) : (tensor<1x4x4x2xi8>, tensor<256xi8>) -> tensor<1x4x4x2xi8>
    return %2 : tensor<1x4x4x2xi8>
  }
}
