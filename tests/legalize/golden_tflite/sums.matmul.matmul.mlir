// before
module {
  func.func @"main"(%arg0: tensor<2x3x7xi8> {tosa.tensor_name = "in0"}, %arg1: tensor<2x7x5xi8> {tosa.tensor_name = "in1"}) -> (tensor<2x3x5xi32> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.const"() <{values = dense<[3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<[-5]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.matmul"(%arg0, %arg1, %2, %3) : (tensor<2x3x7xi8>, tensor<2x7x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x5xi32>
    return %4 : tensor<2x3x5xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x7x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}, %arg1: tensor<2x7x5x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in1"}) -> (tensor<2x3x5xi32> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.cast"(%arg0) : (tensor<2x3x7x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x3x7xf32>
    %3 = "tfl.pseudo_const"() <{values = dense<3.0> : tensor<f32>}> : () -> tensor<f32>
    %4 = "tfl.sub"(%2, %3) : (tensor<2x3x7xf32>, tensor<f32>) -> tensor<2x3x7xf32>
    %5 = "tfl.cast"(%arg1) : (tensor<2x7x5x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x7x5xf32>
    %6 = "tfl.pseudo_const"() <{values = dense<-5.0> : tensor<f32>}> : () -> tensor<f32>
    %7 = "tfl.sub"(%5, %6) : (tensor<2x7x5xf32>, tensor<f32>) -> tensor<2x7x5xf32>
    %8 = "tfl.batch_matmul"(%4, %7) : (tensor<2x3x7xf32>, tensor<2x7x5xf32>) -> tensor<2x3x5xf32>
    %9 = "tfl.cast"(%8) : (tensor<2x3x5xf32>) -> tensor<2x3x5xi32>
    return %9 : tensor<2x3x5xi32>
  }
}
