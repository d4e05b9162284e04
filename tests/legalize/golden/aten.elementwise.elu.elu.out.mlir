// before
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x4x8x8xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.elu.out"(%arg0) <{alpha = 0x3F800000 : f32, scale = 1 : i64, input_scale = 1 : i64}> : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    return %1 : tensor<1x4x8x8xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x4x8x8xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const"() <{values = dense<[[[[0.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %2 = "tosa.greater"(%1, %arg0) : (tensor<1x1x1x1xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xi1>
    %3 = "tosa.exp"(%arg0) : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %4 = "tosa.const"() <{values = dense<[[[[1.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %5 = "tosa.sub"(%3, %4) : (tensor<1x4x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x8x8xf32>
    %6 = "tosa.select"(%2, %5, %arg0) : (tensor<1x4x8x8xi1>, tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    return %6 : tensor<1x4x8x8xf32>
  }
}
