// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_1"}) {
    %2 = "aten.sub.out"(%arg0, %arg1) <{alpha = 0x3F000000 : f32}> : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_1"}) {
    %2 = "tosa.const"() <{values = dense<[[0.5]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%arg1, %2, %3) : (tensor<3x4xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<3x4xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.reshape"(%4, %5) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %7 = "tosa.sub"(%arg0, %6) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
    return %7 : tensor<2x3x4xf32>
  }
}
