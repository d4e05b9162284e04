// before
module {
  func.func @"main"(%arg0: tensor<3x50xi8> {tosa.tensor_name = "in0"}) -> (tensor<3x50xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<[3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.const"() <{values = dense<[-5]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.negate"(%arg0, %1, %2) : (tensor<3x50xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3x50xi8>
    return %3 : tensor<3x50xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x50x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<3x50x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<-2> : tensor<i32>}> : () -> tensor<i32>
    %2 = "tfl.cast"(%arg0) : (tensor<3x50x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<3x50xi32>
    %3 = "tfl.sub"(%1, %2) : (tensor<i32>, tensor<3x50xi32>) -> tensor<3x50xi32>
    %4 = "tfl.pseudo_const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %5 = "tfl.maximum"(%3, %4) : (tensor<3x50xi32>, tensor<i32>) -> tensor<3x50xi32>
    %6 = "tfl.pseudo_const"() <{values = dense<127> : tensor<i32>}> : () -> tensor<i32>
    %7 = "tfl.minimum"(%5, %6) : (tensor<3x50xi32>, tensor<i32>) -> tensor<3x50xi32>
    %8 = "tfl.cast"(%7) : (tensor<3x50xi32>) -> tensor<3x50x!quant.uniform<i8:f32, 1.0:0>>
    return %8 : tensor<3x50x!quant.uniform<i8:f32, 1.0:0>>
  }
}
