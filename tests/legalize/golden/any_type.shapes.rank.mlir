// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<i32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.rank"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<i32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<4> : tensor<i32>}> : () -> tensor<i32>
    return %1 : tensor<i32>
  }
}
