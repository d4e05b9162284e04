// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<4xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.shape"(%arg0) <{out_type = "INT32"}> : (tensor<1x4x4x2xf32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<4xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[1, 4, 4, 2]> : tensor<4xi32>}> : () -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
}
