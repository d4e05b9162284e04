// before
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x4x8x8xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.elu.out"(%arg0) <{alpha = 0x3F800000 : f32, scale = 1 : i64, input_scale = 1 : i64}> : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> loc("forward:1 aten::elu.out")
    return %1 : tensor<1x4x8x8xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x4x8x8xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.exp"(%arg0) : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> loc("forward:1 aten::elu.out")
    %2 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("forward:1 aten::elu.out")
    %3 = "tosa.sub"(%1, %2) : (tensor<1x4x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x8x8xf32> loc("forward:1 aten::elu.out")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("forward:1 aten::elu.out")
    %5 = "tosa.greater"(%4, %arg0) : (tensor<1x1x1x1xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xi1> loc("forward:1 aten::elu.out")
    %6 = "tosa.select"(%5, %3, %arg0) : (tensor<1x4x8x8xi1>, tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> loc("forward:1 aten::elu.out")
    return %6 : tensor<1x4x8x8xf32>
  }
}
