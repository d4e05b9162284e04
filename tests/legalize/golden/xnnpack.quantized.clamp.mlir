// before
module {
  func.func @"main"(%arg0: tensor<3x50x!quant.uniform<i8:f32, 0.06655585765838623:18>> {tosa.tensor_name = "v0"}) -> (tensor<3x50x!quant.uniform<i8:f32, 0.06655585765838623:18>> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.clamp"(%arg0) <{flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<3x50x!quant.uniform<i8:f32, 0.06655585765838623:18>>) -> tensor<3x50x!quant.uniform<i8:f32, 0.06655585765838623:18>>
    return %1 : tensor<3x50x!quant.uniform<i8:f32, 0.06655585765838623:18>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x50xi8> {tosa.tensor_name = "v0"}) -> (tensor<3x50xi8> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = 10 : i8, max_val = 37 : i8, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<3x50xi8>) -> tensor<3x50xi8>
    return %1 : tensor<3x50xi8>
  }
}
