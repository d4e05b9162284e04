// before
module {
  func.func @"main"(%arg0: tensor<2x4xi64> {tosa.tensor_name = "x0"}) -> (tensor<2xi64> {tosa.tensor_name = "output_6"}) {
    %1 = "aten.sum.IntList_out"(%arg0) <{dim = array<i64: 1>, keepdim = false, dtype = "None"}> : (tensor<2x4xi64>) -> tensor<2xi64>
    return %1 : tensor<2xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4xi32> {tosa.tensor_name = "x0"}) -> (tensor<2xi32> {tosa.tensor_name = "output_6"}) {
    %1 = "tosa.reduce_sum"(%arg0) <{axis = 1 : i32}> : (tensor<2x4xi32>) -> tensor<2x1xi32>
    %2 = "tosa.const_shape"() <{values = dense<[2]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %3 = "tosa.reshape"(%1, %2) : (tensor<2x1xi32>, !tosa.shape<1>) -> tensor<2xi32>
    return %3 : tensor<2xi32>
  }
}
