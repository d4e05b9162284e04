// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.029999999329447746:5>> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.greater_equal"(%arg0, %arg1) : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>>, tensor<1x4x4x2x!quant.uniform<i16:f32, 0.029999999329447746:5>>) -> tensor<1x4x4x2xi1>
    return %2 : tensor<1x4x4x2xi1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi1> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %3 = "tosa.cast"(%arg1) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %4 = "tosa.greater_equal"(%2, %3) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi1>
    return %4 : tensor<1x4x4x2xi1>
  }
}
