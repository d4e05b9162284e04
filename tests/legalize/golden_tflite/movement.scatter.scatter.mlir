// before
module {
  func.func @"main"(%arg0: tensor<1x6x4xi8> {tosa.tensor_name = "in0"}, %arg1: tensor<1x4xi32> {tosa.tensor_name = "in1"}, %arg2: tensor<1x4x4xi8> {tosa.tensor_name = "in2"}) -> (tensor<1x6x4xi8> {tosa.tensor_name = "out0"}) {
    %3 = "tosa.scatter"(%arg0, %arg1, %arg2) : (tensor<1x6x4xi8>, tensor<1x4xi32>, tensor<1x4x4xi8>) -> tensor<1x6x4xi8> loc("")
    return %3 : tensor<1x6x4xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x6x4x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}, %arg1: tensor<1x4xi32> {tosa.tensor_name = "in1"}, %arg2: tensor<1x4x4x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in2"}) -> (tensor<1x6x4x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %3 = "tfl.pseudo_const"() <{values = dense<"0x0400000001000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("")
    %4 = "tfl.reshape"(%arg1, %3) <{new_shape = array<i64: 4, 1>}> : (tensor<1x4xi32>, tensor<2xi32>) -> tensor<4x1xi32> loc("")
    %5 = "tfl.pseudo_const"() <{values = dense<"0x0400000004000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("")
    %6 = "tfl.reshape"(%arg2, %5) <{new_shape = array<i64: 4, 4>}> : (tensor<1x4x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<2xi32>) -> tensor<4x4x!quant.uniform<i8:f32, 1.0:0>> loc("")
    %7 = "tfl.pseudo_const"() <{values = dense<"0x0600000004000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("")
    %8 = "tfl.scatter_nd"(%4, %6, %7) : (tensor<4x1xi32>, tensor<4x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<2xi32>) -> tensor<6x4xi8> loc("")
    %9 = "tfl.pseudo_const"() <{values = dense<"0x01000000010000000100000001000000010000000100000001000000010000000100000001000000010000000100000001000000010000000100000001000000"> : tensor<4x4xi32>}> : () -> tensor<4x4xi32> loc("")
    %10 = "tfl.scatter_nd"(%4, %9, %7) : (tensor<4x1xi32>, tensor<4x4xi32>, tensor<2xi32>) -> tensor<6x4xi32> loc("")
    %11 = "tfl.reshape"(%arg0, %7) <{new_shape = array<i64: 6, 4>}> : (tensor<1x6x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<2xi32>) -> tensor<6x4x!quant.uniform<i8:f32, 1.0:0>> loc("")
    %12 = "tfl.pseudo_const"() <{values = dense<"0x00000000"> : tensor<i32>}> : () -> tensor<i32> loc("")
    %13 = "tfl.greater"(%10, %12) : (tensor<6x4xi32>, tensor<i32>) -> tensor<6x4xi1> loc("")
    %14 = "tfl.select_v2"(%13, %8, %11) : (tensor<6x4xi1>, tensor<6x4xi8>, tensor<6x4x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<6x4xi8> loc("")
    %15 = "tfl.pseudo_const"() <{values = dense<"0x010000000600000004000000"> : tensor<3xi32>}> : () -> tensor<3xi32> loc("")
    %16 = "tfl.reshape"(%14, %15) <{new_shape = array<i64: 1, 6, 4>}> : (tensor<6x4xi8>, tensor<3xi32>) -> tensor<1x6x4x!quant.uniform<i8:f32, 1.0:0>> loc("")
    return %16 : tensor<1x6x4x!quant.uniform<i8:f32, 1.0:0>>
  }
}
