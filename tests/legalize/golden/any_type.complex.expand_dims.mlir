// before
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<f32> {tosa.tensor_name = "t5"}, tensor<f32> {tosa.tensor_name = "t6"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[2, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.rfft2d"(%arg0, %1) : (tensor<1x2x4xf32>, tensor<2xi32>) -> tensor<1x2x3xcomplex<f32>>
    %3 = "tfl.pseudo_const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %4 = "tfl.expand_dims"(%2, %3) : (tensor<1x2x3xcomplex<f32>>, tensor<i32>) -> tensor<complex<f32>>
    %5 = "tfl.real"(%4) : (tensor<complex<f32>>) -> tensor<f32>
    %6 = "tfl.imag"(%4) : (tensor<complex<f32>>) -> tensor<f32>
    return %5, %6 : tensor<f32>, tensor<f32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x1x2x3xf32> {tosa.tensor_name = "t5"}, tensor<1x1x2x3xf32> {tosa.tensor_name = "t6"}) {
    %1, %2 = "tosa.rfft2d"(%arg0) <{local_bound = false}> : (tensor<1x2x4xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>)
    %3 = "tosa.const_shape"() <{values = dense<[1, 1, 2, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %4 = "tosa.reshape"(%1, %3) : (tensor<1x2x3xf32>, !tosa.shape<4>) -> tensor<1x1x2x3xf32>
    %5 = "tosa.reshape"(%2, %3) : (tensor<1x2x3xf32>, !tosa.shape<4>) -> tensor<1x1x2x3xf32>
    return %4, %5 : tensor<1x1x2x3xf32>, tensor<1x1x2x3xf32>
  }
}
