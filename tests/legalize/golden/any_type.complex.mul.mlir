// before
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<f32> {tosa.tensor_name = "t5"}, tensor<f32> {tosa.tensor_name = "t6"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[2, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.rfft2d"(%arg0, %1) : (tensor<1x2x4xf32>, tensor<2xi32>) -> tensor<1x2x3xcomplex<f32>>
    %3 = "tfl.pseudo_const"() <{values = dense<(2+1j)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %4 = "tfl.mul"(%2, %3) <{fused_activation_function = "NONE"}> : (tensor<1x2x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %5 = "tfl.real"(%4) : (tensor<complex<f32>>) -> tensor<f32>
    %6 = "tfl.imag"(%4) : (tensor<complex<f32>>) -> tensor<f32>
    return %5, %6 : tensor<f32>, tensor<f32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3xf32> {tosa.tensor_name = "t5"}, tensor<1x2x3xf32> {tosa.tensor_name = "t6"}) {
    %1, %2 = "tosa.rfft2d"(%arg0) <{local_bound = false}> : (tensor<1x2x4xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>)
    %3 = "tosa.const"() <{values = dense<[[[2.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.mul"(%1, %3, %4) : (tensor<1x2x3xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x2x3xf32>
    %6 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %7 = "tosa.mul"(%2, %6, %4) : (tensor<1x2x3xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x2x3xf32>
    %8 = "tosa.sub"(%5, %7) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %9 = "tosa.mul"(%1, %6, %4) : (tensor<1x2x3xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x2x3xf32>
    %10 = "tosa.mul"(%2, %3, %4) : (tensor<1x2x3xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x2x3xf32>
    %11 = "tosa.add"(%9, %10) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    return %8, %11 : tensor<1x2x3xf32>, tensor<1x2x3xf32>
  }
}
