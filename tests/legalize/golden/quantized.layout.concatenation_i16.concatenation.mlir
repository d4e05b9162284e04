// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.019999999552965164:0>> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x4x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.concatenation"(%arg0, %arg1) <{axis = 3 : i64, fused_activation_function = "NONE"}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>, tensor<1x4x4x2x!quant.uniform<i16:f32, 0.019999999552965164:0>>) -> tensor<1x4x4x4x!quant.uniform<i16:f32, 0.05000000074505806:0>>
    return %2 : tensor<1x4x4x4x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x4xi16> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.concat"(%arg0, %arg1) <{axis = 3 : i32}> : (tensor<1x4x4x2xi16>, tensor<1x4x4x2xi16>) -> tensor<1x4x4x4xi16>
    return %2 : tensor<1x4x4x4xi16>
  }
}
