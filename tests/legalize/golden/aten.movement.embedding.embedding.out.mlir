// before
module {
  func.func @"main"(%arg0: tensor<1x6xi64> {tosa.tensor_name = "x1"}) -> (tensor<1x6x16xf32> {tosa.tensor_name = ""}) {
    %1 = "xnn.const"() <{values = dense<sha256 95d2d2de4dc84130> : tensor<20x16xf32>}> : () -> tensor<20x16xf32>
    %2 = "aten.embedding.out"(%1, %arg0) <{padding_idx = -1 : i64, scale_grad_by_freq = false, sparse = false}> : (tensor<20x16xf32>, tensor<1x6xi64>) -> tensor<1x6x16xf32>
    return %2 : tensor<1x6x16xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x6xi32> {tosa.tensor_name = "x1"}) -> (tensor<1x6x16xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const"() <{values = dense<sha256 95d2d2de4dc84130> : tensor<1x20x16xf32>}> : () -> tensor<1x20x16xf32>
    %2 = "tosa.const_shape"() <{values = dense<[1, 1, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<1x6xi32>, !tosa.shape<3>) -> tensor<1x1x6xi32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x1x6xi32>, !tosa.shape<2>) -> tensor<1x6xi32>
    %6 = "tosa.gather"(%1, %5) : (tensor<1x20x16xf32>, tensor<1x6xi32>) -> tensor<1x6x16xf32>
    return %6 : tensor<1x6x16xf32>
  }
}
