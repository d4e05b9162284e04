// before
module {
  func.func @"main"(%arg0: tensor<1x2x17x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x17x8xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.expand_copy.out"(%arg0) <{size = array<i64: 1, 2, 17, 8>, implicit = false}> : (tensor<1x2x17x8xf32>) -> tensor<1x2x17x8xf32>
    return %1 : tensor<1x2x17x8xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x17x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x17x8xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.identity"(%arg0) : (tensor<1x2x17x8xf32>) -> tensor<1x2x17x8xf32>
    return %1 : tensor<1x2x17x8xf32>
  }
}
