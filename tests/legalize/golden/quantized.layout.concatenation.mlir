// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<ui8:f32, 0.05000000074505806:125>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2x!quant.uniform<ui8:f32, 0.029999999329447746:133>> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x4x!quant.uniform<ui8:f32, 0.10000000149011612:135>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.concatenation"(%arg0, %arg1) <{axis = 3 : i64, fused_activation_function = "NONE"}> : (tensor<1x4x4x2x!quant.uniform<ui8:f32, 0.05000000074505806:125>>, tensor<1x4x4x2x!quant.uniform<ui8:f32, 0.029999999329447746:133>>) -> tensor<1x4x4x4x!quant.uniform<ui8:f32, 0.10000000149011612:135>>
    return %2 : tensor<1x4x4x4x!quant.uniform<ui8:f32, 0.10000000149011612:135>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x4xi8> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<sha256 9423a4beb94302f1> : tensor<256xi8>}> : () -> tensor<256xi8>
    %3 = "tosa.table"(%arg0, %2) : (tensor<1x4x4x2xi8>, tensor<256xi8>) -> tensor<1x4x4x2xi8>
    %4 = "tosa.const"() <{values = dense<sha256 40ba1e285f228ba9> : tensor<256xi8>}> : () -> tensor<256xi8>
    %5 = "tosa.table"(%arg1, %4) : (tensor<1x4x4x2xi8>, tensor<256xi8>) -> tensor<1x4x4x2xi8>
    %6 = "tosa.concat"(%3, %5) <{axis = 3 : i32}> : (tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>) -> tensor<1x4x4x4xi8>
    return %6 : tensor<1x4x4x4xi8>
  }
}
