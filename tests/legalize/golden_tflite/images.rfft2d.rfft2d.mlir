// before
module {
  func.func @"main"(%arg0: tensor<2x4x8xf32> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5xf32> {tosa.tensor_name = "out0"}, tensor<2x4x5xf32> {tosa.tensor_name = "out1"}) {
    %1, %2 = "tosa.rfft2d"(%arg0) <{local_bound = true}> : (tensor<2x4x8xf32>) -> (tensor<2x4x5xf32>, tensor<2x4x5xf32>)
    return %1, %2 : tensor<2x4x5xf32>, tensor<2x4x5xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x8xf32> {tosa.tensor_name = "in0"}) -> (tensor<2x4x5xf32> {tosa.tensor_name = "out0"}, tensor<2x4x5xf32> {tosa.tensor_name = "out1"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[4, 8]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.rfft2d"(%arg0, %1) : (tensor<2x4x8xf32>, tensor<2xi32>) -> tensor<2x4x5xcomplex<f32>>
    %3 = "tfl.real"(%2) : (tensor<2x4x5xcomplex<f32>>) -> tensor<2x4x5xf32>
    %4 = "tfl.imag"(%2) : (tensor<2x4x5xcomplex<f32>>) -> tensor<2x4x5xf32>
    return %3, %4 : tensor<2x4x5xf32>, tensor<2x4x5xf32>
  }
}
