// before
module {
  func.func @"main"(%arg0: tensor<1x6x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x6x1xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.mean.out"(%arg0) <{dim = array<i64: -1>, keepdim = true, dtype = "None"}> : (tensor<1x6x16xf32>) -> tensor<1x6x1xf32>
    return %1 : tensor<1x6x1xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x6x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x6x1xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.reduce_sum"(%arg0) <{axis = 2 : i32}> : (tensor<1x6x16xf32>) -> tensor<1x6x1xf32>
    %2 = "tosa.const"() <{values = dense<[[[0.0625]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%1, %2, %3) : (tensor<1x6x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x1xf32>
    return %4 : tensor<1x6x1xf32>
  }
}
