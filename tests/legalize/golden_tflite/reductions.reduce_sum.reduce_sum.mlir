// before
module {
  func.func @"main"(%arg0: tensor<4x5x6xi32> {tosa.tensor_name = "in0"}) -> (tensor<1x5x6xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reduce_sum"(%arg0) <{axis = 0 : i32}> : (tensor<4x5x6xi32>) -> tensor<1x5x6xi32>
    return %1 : tensor<1x5x6xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x5x6xi32> {tosa.tensor_name = "in0"}) -> (tensor<1x5x6xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.sum"(%arg0, %1) <{keep_dims = true}> : (tensor<4x5x6xi32>, tensor<1xi32>) -> tensor<1x5x6xi32>
    return %2 : tensor<1x5x6xi32>
  }
}
