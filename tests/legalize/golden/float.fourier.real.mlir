// before
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<f32> {tosa.tensor_name = "t5"}, tensor<f32> {tosa.tensor_name = "t6"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x0200000004000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.rfft2d"(%arg0, %1) : (tensor<1x2x4xf32>, tensor<2xi32>) -> tensor<1x2x3xcomplex<f32>> loc("main:0 RFFT2D 't2'")
    %3 = "tfl.pseudo_const"() <{values = dense<"0x0200000003000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("Model.subgraphs[0].tensors[3]")
    %4 = "tfl.reshape"(%2, %3) <{new_shape = array<i64: >}> : (tensor<1x2x3xcomplex<f32>>, tensor<2xi32>) -> tensor<complex<f32>> loc("main:1 RESHAPE 't4'")
    %5 = "tfl.real"(%4) : (tensor<complex<f32>>) -> tensor<f32> loc("main:2 REAL 't5'")
    %6 = "tfl.imag"(%4) : (tensor<complex<f32>>) -> tensor<f32> loc("main:3 IMAG 't6'")
    return %5, %6 : tensor<f32>, tensor<f32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t5"}, tensor<2x3xf32> {tosa.tensor_name = "t6"}) {
    %1, %2 = "tosa.rfft2d"(%arg0) <{local_bound = false}> : (tensor<1x2x4xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>) loc("main:0 RFFT2D 't2'")
    %3 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:1 RESHAPE 't4'")
    %4 = "tosa.reshape"(%1, %3) : (tensor<1x2x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32> loc("main:1 RESHAPE 't4'")
    %5 = "tosa.reshape"(%2, %3) : (tensor<1x2x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32> loc("main:1 RESHAPE 't4'")
    return %4, %5 : tensor<2x3xf32>, tensor<2x3xf32>
  }
}
