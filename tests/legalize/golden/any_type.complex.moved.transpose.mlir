// before
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<f32> {tosa.tensor_name = "t5"}, tensor<f32> {tosa.tensor_name = "t6"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x0200000004000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.rfft2d"(%arg0, %1) : (tensor<1x2x4xf32>, tensor<2xi32>) -> tensor<1x2x3xcomplex<f32>> loc("main:0 RFFT2D 't2'")
    %3 = "tfl.pseudo_const"() <{values = dense<"0x000000000200000001000000"> : tensor<3xi32>}> : () -> tensor<3xi32> loc("Model.subgraphs[0].tensors[3]")
    %4 = "tfl.transpose"(%2, %3) : (tensor<1x2x3xcomplex<f32>>, tensor<3xi32>) -> tensor<complex<f32>> loc("main:1 TRANSPOSE 't4'")
    %5 = "tfl.real"(%4) : (tensor<complex<f32>>) -> tensor<f32> loc("main:2 REAL 't5'")
    %6 = "tfl.imag"(%4) : (tensor<complex<f32>>) -> tensor<f32> loc("main:3 IMAG 't6'")
    return %5, %6 : tensor<f32>, tensor<f32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3x2xf32> {tosa.tensor_name = "t5"}, tensor<1x3x2xf32> {tosa.tensor_name = "t6"}) {
    %1, %2 = "tosa.rfft2d"(%arg0) <{local_bound = false}> : (tensor<1x2x4xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>) loc("main:0 RFFT2D 't2'")
    %3 = "tosa.transpose"(%1) <{perms = array<i32: 0, 2, 1>}> : (tensor<1x2x3xf32>) -> tensor<1x3x2xf32> loc("main:1 TRANSPOSE 't4'")
    %4 = "tosa.transpose"(%2) <{perms = array<i32: 0, 2, 1>}> : (tensor<1x2x3xf32>) -> tensor<1x3x2xf32> loc("main:1 TRANSPOSE 't4'")
    return %3, %4 : tensor<1x3x2xf32>, tensor<1x3x2xf32>
  }
}
