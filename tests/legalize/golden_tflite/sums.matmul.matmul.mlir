// before
module {
  func.func @"main"(%arg0: tensor<2x3x7xi8> {tosa.tensor_name = "in0"}, %arg1: tensor<2x7x5xi8> {tosa.tensor_name = "in1"}) -> (tensor<2x3x5xi32> {tosa.tensor_name = "out0"}) {
    %2 = "tosa.const"() <{values = dense<"0x03"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %3 = "tosa.const"() <{values = dense<"0xFB"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %4 = "tosa.matmul"(%arg0, %arg1, %2, %3) : (tensor<2x3x7xi8>, tensor<2x7x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x5xi32> loc("")
    return %4 : tensor<2x3x5xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x7x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}, %arg1: tensor<2x7x5x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in1"}) -> (tensor<2x3x5xi32> {tosa.tensor_name = "out0"}) {
    %2 = "tfl.cast"(%arg0) : (tensor<2x3x7x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x3x7xf32> loc("")
    %3 = "tfl.pseudo_const"() <{values = dense<"0x00004040"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %4 = "tfl.sub"(%2, %3) : (tensor<2x3x7xf32>, tensor<f32>) -> tensor<2x3x7xf32> loc("")
    %5 = "tfl.cast"(%arg1) : (tensor<2x7x5x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2x7x5xf32> loc("")
    %6 = "tfl.pseudo_const"() <{values = dense<"0x0000A0C0"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %7 = "tfl.sub"(%5, %6) : (tensor<2x7x5xf32>, tensor<f32>) -> tensor<2x7x5xf32> loc("")
    %8 = "tfl.batch_matmul"(%4, %7) : (tensor<2x3x7xf32>, tensor<2x7x5xf32>) -> tensor<2x3x5xf32> loc("")
    %9 = "tfl.cast"(%8) : (tensor<2x3x5xf32>) -> tensor<2x3x5xi32> loc("")
    return %9 : tensor<2x3x5xi32>
  }
}
