// before
module {
  func.func @"main"(%arg0: tensor<3x17x1x1x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<3x17x1x16xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.squeeze_copy.dims_out"(%arg0) <{dim = array<i64: -2>}> : (tensor<3x17x1x1x16xf32>) -> tensor<3x17x1x16xf32>
    return %1 : tensor<3x17x1x16xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x17x1x1x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<3x17x1x16xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const_shape"() <{values = dense<[3, 17, 1, 16]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<3x17x1x1x16xf32>, !tosa.shape<4>) -> tensor<3x17x1x16xf32>
    return %2 : tensor<3x17x1x16xf32>
  }
}
