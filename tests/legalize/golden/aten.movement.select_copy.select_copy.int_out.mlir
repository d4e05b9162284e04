// before
module {
  func.func @"main"(%arg0: tensor<3x17x1x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<17x1x16xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.select_copy.int_out"(%arg0) <{dim = 0 : i64, index = 0 : i64}> : (tensor<3x17x1x16xf32>) -> tensor<17x1x16xf32>
    return %1 : tensor<17x1x16xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x17x1x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<17x1x16xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.const_shape"() <{values = dense<[1, 17, 1, 16]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<3x17x1x16xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x17x1x16xf32>
    %4 = "tosa.const_shape"() <{values = dense<[17, 1, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x17x1x16xf32>, !tosa.shape<3>) -> tensor<17x1x16xf32>
    return %5 : tensor<17x1x16xf32>
  }
}
