// before
module {
  func.func @"main"(%arg0: tensor<1x2x17x17xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x17x17xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.full_like.out"(%arg0) <{fill_value = 0 : i64, memory_format = 1 : i64}> : (tensor<1x2x17x17xf32>) -> tensor<1x2x17x17xf32>
    return %1 : tensor<1x2x17x17xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x17x17xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x2x17x17xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const"() <{values = dense<sha256 35956830dc0e1c69> : tensor<1x2x17x17xf32>}> : () -> tensor<1x2x17x17xf32>
    return %1 : tensor<1x2x17x17xf32>
  }
}
