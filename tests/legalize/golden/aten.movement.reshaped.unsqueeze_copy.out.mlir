// before
module {
  func.func @"main"(%arg0: tensor<17x1x3x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x17x1x3x16xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.unsqueeze_copy.out"(%arg0) <{dim = 0 : i64}> : (tensor<17x1x3x16xf32>) -> tensor<1x17x1x3x16xf32>
    return %1 : tensor<1x17x1x3x16xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<17x1x3x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x17x1x3x16xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 17, 1, 3, 16]> : tensor<5xindex>}> : () -> !tosa.shape<5>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<17x1x3x16xf32>, !tosa.shape<5>) -> tensor<1x17x1x3x16xf32>
    return %2 : tensor<1x17x1x3x16xf32>
  }
}
