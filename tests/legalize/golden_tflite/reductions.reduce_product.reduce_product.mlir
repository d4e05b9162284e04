// before
module {
  func.func @"main"(%arg0: tensor<4x5x6xf16> {tosa.tensor_name = "in0"}) -> (tensor<1x5x6xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reduce_product"(%arg0) <{axis = 0 : i32}> : (tensor<4x5x6xf16>) -> tensor<1x5x6xf16>
    return %1 : tensor<1x5x6xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x5x6xf16> {tosa.tensor_name = "in0"}) -> (tensor<1x5x6xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<4x5x6xf16>) -> tensor<4x5x6xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tfl.reduce_prod"(%1, %2) <{keep_dims = true}> : (tensor<4x5x6xf32>, tensor<1xi32>) -> tensor<1x5x6xf32>
    %4 = "tfl.cast"(%3) : (tensor<1x5x6xf32>) -> tensor<1x5x6xf16>
    return %4 : tensor<1x5x6xf16>
  }
}
