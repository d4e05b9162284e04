// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[2, 0, 4, 1]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %2 = "tfl.reverse_sequence"(%arg0, %1) <{seq_dim = 2 : i64, batch_dim = 1 : i64}> : (tensor<1x4x4x2xf32>, tensor<4xi32>) -> tensor<1x4x4x2xf32>
    return %2 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32>
    %3 = "tosa.const"() <{values = dense<[[1, 0, 2, 3, 4, 5, 6, 7, 11, 10, 9, 8, 12, 13, 14, 15]]> : tensor<1x16xi32>}> : () -> tensor<1x16xi32>
    %4 = "tosa.gather"(%2, %3) : (tensor<1x16x2xf32>, tensor<1x16xi32>) -> tensor<1x16x2xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x16x2xf32>, !tosa.shape<4>) -> tensor<1x4x4x2xf32>
    return %6 : tensor<1x4x4x2xf32>
  }
}
