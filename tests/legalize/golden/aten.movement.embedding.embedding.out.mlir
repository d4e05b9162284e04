// before
module {
  func.func @"main"(%arg0: tensor<1x6xi64> {tosa.tensor_name = "x1"}) -> (tensor<1x6x16xf32> {tosa.tensor_name = ""}) {
    %1 = "xnn.const"() <{values = dense_resource<__elided__> : tensor<20x16xf32>}> : () -> tensor<20x16xf32> loc("forward:2 aten::embedding.out")
    %2 = "aten.embedding.out"(%1, %arg0) <{padding_idx = -1 : i64, scale_grad_by_freq = false, sparse = false}> : (tensor<20x16xf32>, tensor<1x6xi64>) -> tensor<1x6x16xf32> loc("forward:2 aten::embedding.out")
    return %2 : tensor<1x6x16xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x6xi32> {tosa.tensor_name = "x1"}) -> (tensor<1x6x16xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 1, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("forward:2 aten::embedding.out")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x6xi32>, !tosa.shape<3>) -> tensor<1x1x6xi32> loc("forward:2 aten::embedding.out")
    %3 = "tosa.const_shape"() <{values = dense<[1, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("forward:2 aten::embedding.out")
    %4 = "tosa.reshape"(%2, %3) : (tensor<1x1x6xi32>, !tosa.shape<2>) -> tensor<1x6xi32> loc("forward:2 aten::embedding.out")
    %5 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x20x16xf32>}> : () -> tensor<1x20x16xf32> loc("forward:2 aten::embedding.out")
    %6 = "tosa.gather"(%5, %4) : (tensor<1x20x16xf32>, tensor<1x6xi32>) -> tensor<1x6x16xf32> loc("forward:2 aten::embedding.out")
    return %6 : tensor<1x6x16xf32>
  }
}
