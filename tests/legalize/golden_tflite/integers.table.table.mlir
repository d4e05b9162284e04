// before
module {
  func.func @"main"(%arg0: tensor<3x200xi8> {tosa.tensor_name = "in0"}) -> (tensor<3x200xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<256xi8>}> : () -> tensor<256xi8> loc("")
    %2 = "tosa.table"(%arg0, %1) : (tensor<3x200xi8>, tensor<256xi8>) -> tensor<3x200xi8> loc("")
    return %2 : tensor<3x200xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x200x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<3x200x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<3x200x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<3x200xi32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x80000000"> : tensor<i32>}> : () -> tensor<i32> loc("")
    %3 = "tfl.add"(%1, %2) : (tensor<3x200xi32>, tensor<i32>) -> tensor<3x200xi32> loc("")
    %4 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<256xi8>}> : () -> tensor<256xi8> loc("")
    %5 = "tfl.gather"(%4, %3) <{axis = 0 : i64}> : (tensor<256xi8>, tensor<3x200xi32>) -> tensor<3x200x!quant.uniform<i8:f32, 1.0:0>> loc("")
    return %5 : tensor<3x200x!quant.uniform<i8:f32, 1.0:0>>
  }
}
