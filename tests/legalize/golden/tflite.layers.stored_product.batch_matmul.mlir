// before
module {
  func.func @"main"(%arg0: tensor<1x3x4x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x5x!quant.uniform<i8:f32, 0.029999999329447746:5>> {tosa.tensor_name = "t1"}) -> (tensor<1x3x5xi32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.batch_matmul"(%arg0, %arg1) <{adj_x = false, adj_y = false, asymmetric_quantize_inputs = false}> : (tensor<1x3x4x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<1x4x5x!quant.uniform<i8:f32, 0.029999999329447746:5>>) -> tensor<1x3x5xi32>
    return %2 : tensor<1x3x5xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x3x4xi8> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x5xi8> {tosa.tensor_name = "t1"}) -> (tensor<1x3x5xi32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.matmul"(%arg0, %arg1, %2, %2) : (tensor<1x3x4xi8>, tensor<1x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5xi32>
    return %3 : tensor<1x3x5xi32>
  }
}
