// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "x0"}) -> (tensor<i1> {tosa.tensor_name = "output_24"}) {
    %1 = "aten.any.all_out"(%arg0) : (tensor<2x3x4xi1>) -> tensor<i1>
    return %1 : tensor<i1>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xi1> {tosa.tensor_name = "x0"}) -> (tensor<i1> {tosa.tensor_name = "output_24"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 24, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3x4xi1>, !tosa.shape<3>) -> tensor<1x24x1xi1>
    %3 = "tosa.reduce_any"(%2) <{axis = 1 : i32}> : (tensor<1x24x1xi1>) -> tensor<1x1x1xi1>
    %4 = "tosa.const_shape"() <{values = dense<[]> : tensor<0xindex>}> : () -> !tosa.shape<0>
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x1x1xi1>, !tosa.shape<0>) -> tensor<i1>
    return %5 : tensor<i1>
  }
}
