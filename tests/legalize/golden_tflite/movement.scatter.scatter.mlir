// before
module {
  func.func @"main"(%arg0: tensor<1x6x4xi8> {tosa.tensor_name = "in0"}, %arg1: tensor<1x4xi32> {tosa.tensor_name = "in1"}, %arg2: tensor<1x4x4xi8> {tosa.tensor_name = "in2"}) -> (tensor<1x6x4xi8> {tosa.tensor_name = "out0"}) {
    %3 = "tosa.scatter"(%arg0, %arg1, %arg2) : (tensor<1x6x4xi8>, tensor<1x4xi32>, tensor<1x4x4xi8>) -> tensor<1x6x4xi8>
    return %3 : tensor<1x6x4xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x6x4x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}, %arg1: tensor<1x4xi32> {tosa.tensor_name = "in1"}, %arg2: tensor<1x4x4x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in2"}) -> (tensor<1x6x4x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %3 = "tfl.pseudo_const"() <{values = dense<[4, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %4 = "tfl.reshape"(%arg1, %3) <{new_shape = array<i64: 4, 1>}> : (tensor<1x4xi32>, tensor<2xi32>) -> tensor<4x1xi32>
    %5 = "tfl.pseudo_const"() <{values = dense<[[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]> : tensor<4x4xi32>}> : () -> tensor<4x4xi32>
    %6 = "tfl.pseudo_const"() <{values = dense<[6, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %7 = "tfl.scatter_nd"(%4, %5, %6) : (tensor<4x1xi32>, tensor<4x4xi32>, tensor<2xi32>) -> tensor<6x4xi32>
    %8 = "tfl.pseudo_const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %9 = "tfl.greater"(%7, %8) : (tensor<6x4xi32>, tensor<i32>) -> tensor<6x4xi1>
    %10 = "tfl.pseudo_const"() <{values = dense<[4, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %11 = "tfl.reshape"(%arg2, %10) <{new_shape = array<i64: 4, 4>}> : (tensor<1x4x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<2xi32>) -> tensor<4x4x!quant.uniform<i8:f32, 1.0:0>>
    %12 = "tfl.scatter_nd"(%4, %11, %6) : (tensor<4x1xi32>, tensor<4x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<2xi32>) -> tensor<6x4xi8>
    %13 = "tfl.reshape"(%arg0, %6) <{new_shape = array<i64: 6, 4>}> : (tensor<1x6x4x!quant.uniform<i8:f32, 1.0:0>>, tensor<2xi32>) -> tensor<6x4x!quant.uniform<i8:f32, 1.0:0>>
    %14 = "tfl.select_v2"(%9, %12, %13) : (tensor<6x4xi1>, tensor<6x4xi8>, tensor<6x4x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<6x4xi8>
    %15 = "tfl.pseudo_const"() <{values = dense<[1, 6, 4]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %16 = "tfl.reshape"(%14, %15) <{new_shape = array<i64: 1, 6, 4>}> : (tensor<6x4xi8>, tensor<3xi32>) -> tensor<1x6x4x!quant.uniform<i8:f32, 1.0:0>>
    return %16 : tensor<1x6x4x!quant.uniform<i8:f32, 1.0:0>>
  }
}
