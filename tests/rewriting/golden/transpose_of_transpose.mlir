// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xi8> {tosa.tensor_name = "x"}) -> (tensor<3x2x4xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 1, 2, 0>}> : (tensor<2x3x4xi8>) -> tensor<3x4x2xi8>
    %2 = "tosa.transpose"(%1) <{perms = array<i32: 0, 2, 1>}> : (tensor<3x4x2xi8>) -> tensor<3x2x4xi8>
    return %2 : tensor<3x2x4xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xi8> {tosa.tensor_name = "x"}) -> (tensor<3x2x4xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.transpose"(%arg0) <{perms = array<i32: 1, 0, 2>}> : (tensor<2x3x4xi8>) -> tensor<3x2x4xi8>
    return %1 : tensor<3x2x4xi8>
  }
}
