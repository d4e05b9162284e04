// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3x4xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 0 : i32}> : (tensor<2x3x4xi8>) -> tensor<2x3x4xi8>
    %2 = "tosa.transpose"(%1) <{perms = array<i32: 1, 2, 0>}> : (tensor<2x3x4xi8>) -> tensor<3x4x2xi8>
    %3 = "tosa.transpose"(%2) <{perms = array<i32: 2, 0, 1>}> : (tensor<3x4x2xi8>) -> tensor<2x3x4xi8>
    return %3 : tensor<2x3x4xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3x4xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reverse"(%arg0) <{axis = 0 : i32}> : (tensor<2x3x4xi8>) -> tensor<2x3x4xi8>
    return %1 : tensor<2x3x4xi8>
  }
}
