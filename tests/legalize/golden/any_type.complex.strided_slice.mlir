// before
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<f32> {tosa.tensor_name = "t7"}, tensor<f32> {tosa.tensor_name = "t8"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[2, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.rfft2d"(%arg0, %1) : (tensor<1x2x4xf32>, tensor<2xi32>) -> tensor<1x2x3xcomplex<f32>>
    %3 = "tfl.pseudo_const"() <{values = dense<[0, 0, 0]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %4 = "tfl.pseudo_const"() <{values = dense<[1, 2, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %5 = "tfl.pseudo_const"() <{values = dense<[1, 1, 1]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %6 = "tfl.strided_slice"(%2, %3, %4, %5) <{begin_mask = 0 : i64, end_mask = 0 : i64, ellipsis_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64, offset = false}> : (tensor<1x2x3xcomplex<f32>>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<complex<f32>>
    %7 = "tfl.real"(%6) : (tensor<complex<f32>>) -> tensor<f32>
    %8 = "tfl.imag"(%6) : (tensor<complex<f32>>) -> tensor<f32>
    return %7, %8 : tensor<f32>, tensor<f32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t7"}, tensor<2x3xf32> {tosa.tensor_name = "t8"}) {
    %1, %2 = "tosa.rfft2d"(%arg0) <{local_bound = false}> : (tensor<1x2x4xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>)
    %3 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %4 = "tosa.reshape"(%1, %3) : (tensor<1x2x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
    %5 = "tosa.reshape"(%2, %3) : (tensor<1x2x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
    return %4, %5 : tensor<2x3xf32>, tensor<2x3xf32>
  }
}
