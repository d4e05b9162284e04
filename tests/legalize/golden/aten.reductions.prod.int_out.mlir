// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = "output_5"}) {
    %1 = "aten.prod.int_out"(%arg0) <{dim = 1 : i64, keepdim = false, dtype = "None"}> : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xf32> {tosa.tensor_name = "output_5"}) {
    %1 = "tosa.reduce_product"(%arg0) <{axis = 1 : i32}> : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
    %2 = "tosa.const_shape"() <{values = dense<[2, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.reshape"(%1, %2) : (tensor<2x1x4xf32>, !tosa.shape<2>) -> tensor<2x4xf32>
    return %3 : tensor<2x4xf32>
  }
}
