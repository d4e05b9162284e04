// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x2x6x4xf32> {tosa.tensor_name = "output_9"}) {
    %1 = "aten.repeat.out"(%arg0) <{repeats = array<i64: 2, 1, 2, 1>}> : (tensor<2x3x4xf32>) -> tensor<2x2x6x4xf32>
    return %1 : tensor<2x2x6x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x2x6x4xf32> {tosa.tensor_name = "output_9"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 2, 3, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3x4xf32>, !tosa.shape<4>) -> tensor<1x2x3x4xf32>
    %3 = "tosa.const_shape"() <{values = dense<[2, 1, 2, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %4 = "tosa.tile"(%2, %3) : (tensor<1x2x3x4xf32>, !tosa.shape<4>) -> tensor<2x2x6x4xf32>
    return %4 : tensor<2x2x6x4xf32>
  }
}
