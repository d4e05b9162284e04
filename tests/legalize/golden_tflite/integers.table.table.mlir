// before
module {
  func.func @"main"(%arg0: tensor<3x200xi8> {tosa.tensor_name = "in0"}) -> (tensor<3x200xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<sha256 0760dbb8f0e98b64> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tosa.table"(%arg0, %1) : (tensor<3x200xi8>, tensor<256xi8>) -> tensor<3x200xi8>
    return %2 : tensor<3x200xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x200x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<3x200x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<sha256 0760dbb8f0e98b64> : tensor<256xi8>}> : () -> tensor<256xi8>
    %2 = "tfl.cast"(%arg0) : (tensor<3x200x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<3x200xi32>
    %3 = "tfl.pseudo_const"() <{values = dense<128> : tensor<i32>}> : () -> tensor<i32>
    %4 = "tfl.add"(%2, %3) : (tensor<3x200xi32>, tensor<i32>) -> tensor<3x200xi32>
    %5 = "tfl.gather"(%1, %4) <{axis = 0 : i64}> : (tensor<256xi8>, tensor<3x200xi32>) -> tensor<3x200x!quant.uniform<i8:f32, 1.0:0>>
    return %5 : tensor<3x200x!quant.uniform<i8:f32, 1.0:0>>
  }
}
