// before
module {
  func.func @"main"(%arg0: tensor<1x1x6x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x1x6x4xf32> {tosa.tensor_name = ""}, tensor<1x1x6x4xf32> {tosa.tensor_name = ""}) {
    %1, %2 = "aten.split_with_sizes_copy.out"(%arg0) <{split_sizes = array<i64: 4, 4>, dim = -1 : i64}> : (tensor<1x1x6x8xf32>) -> (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>)
    return %1, %2 : tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x1x6x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x1x6x4xf32> {tosa.tensor_name = ""}, tensor<1x1x6x4xf32> {tosa.tensor_name = "_1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const_shape"() <{values = dense<[1, 1, 6, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<1x1x6x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x1x6x4xf32>
    %4 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.slice"(%arg0, %4, %2) : (tensor<1x1x6x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x1x6x4xf32>
    return %3, %5 : tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>
  }
}
