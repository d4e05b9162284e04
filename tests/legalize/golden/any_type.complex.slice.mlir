// before
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<f32> {tosa.tensor_name = "t6"}, tensor<f32> {tosa.tensor_name = "t7"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[2, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.rfft2d"(%arg0, %1) : (tensor<1x2x4xf32>, tensor<2xi32>) -> tensor<1x2x3xcomplex<f32>>
    %3 = "tfl.pseudo_const"() <{values = dense<[0, 0, 1]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %4 = "tfl.pseudo_const"() <{values = dense<[1, 2, 2]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %5 = "tfl.slice"(%2, %3, %4) : (tensor<1x2x3xcomplex<f32>>, tensor<3xi32>, tensor<3xi32>) -> tensor<complex<f32>>
    %6 = "tfl.real"(%5) : (tensor<complex<f32>>) -> tensor<f32>
    %7 = "tfl.imag"(%5) : (tensor<complex<f32>>) -> tensor<f32>
    return %6, %7 : tensor<f32>, tensor<f32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x2xf32> {tosa.tensor_name = "t6"}, tensor<1x2x2xf32> {tosa.tensor_name = "t7"}) {
    %1, %2 = "tosa.rfft2d"(%arg0) <{local_bound = false}> : (tensor<1x2x4xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>)
    %3 = "tosa.const_shape"() <{values = dense<[0, 0, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.const_shape"() <{values = dense<[1, 2, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.slice"(%1, %3, %4) : (tensor<1x2x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x2x2xf32>
    %6 = "tosa.slice"(%2, %3, %4) : (tensor<1x2x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x2x2xf32>
    return %5, %6 : tensor<1x2x2xf32>, tensor<1x2x2xf32>
  }
}
