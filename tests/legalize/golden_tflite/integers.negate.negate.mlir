// before
module {
  func.func @"main"(%arg0: tensor<3x50xi8> {tosa.tensor_name = "in0"}) -> (tensor<3x50xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<"0x03"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %2 = "tosa.const"() <{values = dense<"0xFB"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %3 = "tosa.negate"(%arg0, %1, %2) : (tensor<3x50xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3x50xi8> loc("")
    return %3 : tensor<3x50xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x50x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<3x50x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<3x50x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<3x50xi32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0xFEFFFFFF"> : tensor<i32>}> : () -> tensor<i32> loc("")
    %3 = "tfl.sub"(%2, %1) : (tensor<i32>, tensor<3x50xi32>) -> tensor<3x50xi32> loc("")
    %4 = "tfl.pseudo_const"() <{values = dense<"0x80FFFFFF"> : tensor<i32>}> : () -> tensor<i32> loc("")
    %5 = "tfl.maximum"(%3, %4) : (tensor<3x50xi32>, tensor<i32>) -> tensor<3x50xi32> loc("")
    %6 = "tfl.pseudo_const"() <{values = dense<"0x7F000000"> : tensor<i32>}> : () -> tensor<i32> loc("")
    %7 = "tfl.minimum"(%5, %6) : (tensor<3x50xi32>, tensor<i32>) -> tensor<3x50xi32> loc("")
    %8 = "tfl.cast"(%7) : (tensor<3x50xi32>) -> tensor<3x50x!quant.uniform<i8:f32, 1.0:0>> loc("")
    return %8 : tensor<3x50x!quant.uniform<i8:f32, 1.0:0>>
  }
}
