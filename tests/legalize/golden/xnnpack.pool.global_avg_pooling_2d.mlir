// before
module {
  func.func @"main"(%arg0: tensor<2x5x6x7xf32> {tosa.tensor_name = "v0"}) -> (tensor<2x1x1x7xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.global_avg_pooling_2d"(%arg0) <{flags = 64 : i64}> : (tensor<2x5x6x7xf32>) -> tensor<2x1x1x7xf32>
    return %1 : tensor<2x1x1x7xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x5x6x7xf32> {tosa.tensor_name = "v0"}) -> (tensor<2x1x1x7xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.avg_pool2d"(%arg0, %1, %1) <{kernel = array<i64: 5, 6>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32}> : (tensor<2x5x6x7xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x1x7xf32>
    return %2 : tensor<2x1x1x7xf32>
  }
}
