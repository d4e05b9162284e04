// before
module {
  func.func @"main"(%arg0: tensor<2x4x8xf32> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x8xf32> {tosa.tensor_name = "in1"}) -> (tensor<2x4x8xf32> {tosa.tensor_name = "out0"}, tensor<2x4x8xf32> {tosa.tensor_name = "out1"}) {
    %2, %3 = "tosa.fft2d"(%arg0, %arg1) <{inverse = false, local_bound = true}> : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>)
    return %2, %3 : tensor<2x4x8xf32>, tensor<2x4x8xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x8xf32> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x8xf32> {tosa.tensor_name = "in1"}) -> (tensor<2x4x8xf32> {tosa.tensor_name = "out0"}, tensor<2x4x8xf32> {tosa.tensor_name = "out1"}) {
    %2 = "tfl.concatenation"(%arg0, %arg1) <{axis = 2 : i64}> : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x16xf32>
    %3 = "tfl.pseudo_const"() <{values = dense<[1, 8, 16]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %4 = "tfl.reshape"(%2, %3) <{new_shape = array<i64: 1, 8, 16>}> : (tensor<2x4x16xf32>, tensor<3xi32>) -> tensor<1x8x16xf32>
    %5 = "tfl.pseudo_const"() <{values = dense<sha256 049edcb297f96d65> : tensor<1x16x16xf32>}> : () -> tensor<1x16x16xf32>
    %6 = "tfl.batch_matmul"(%4, %5) : (tensor<1x8x16xf32>, tensor<1x16x16xf32>) -> tensor<1x8x16xf32>
    %7 = "tfl.pseudo_const"() <{values = dense<[2, 4, 2, 8]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %8 = "tfl.reshape"(%6, %7) <{new_shape = array<i64: 2, 4, 2, 8>}> : (tensor<1x8x16xf32>, tensor<4xi32>) -> tensor<2x4x2x8xf32>
    %9 = "tfl.pseudo_const"() <{values = dense<[0, 3, 2, 1]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %10 = "tfl.transpose"(%8, %9) : (tensor<2x4x2x8xf32>, tensor<4xi32>) -> tensor<2x8x2x4xf32>
    %11 = "tfl.pseudo_const"() <{values = dense<[1, 16, 8]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %12 = "tfl.reshape"(%10, %11) <{new_shape = array<i64: 1, 16, 8>}> : (tensor<2x8x2x4xf32>, tensor<3xi32>) -> tensor<1x16x8xf32>
    %13 = "tfl.pseudo_const"() <{values = dense<sha256 65582f6f8653d6af> : tensor<1x8x8xf32>}> : () -> tensor<1x8x8xf32>
    %14 = "tfl.batch_matmul"(%12, %13) : (tensor<1x16x8xf32>, tensor<1x8x8xf32>) -> tensor<1x16x8xf32>
    %15 = "tfl.pseudo_const"() <{values = dense<[2, 8, 2, 4]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %16 = "tfl.reshape"(%14, %15) <{new_shape = array<i64: 2, 8, 2, 4>}> : (tensor<1x16x8xf32>, tensor<4xi32>) -> tensor<2x8x2x4xf32>
    %17 = "tfl.pseudo_const"() <{values = dense<[2, 0, 3, 1]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %18 = "tfl.transpose"(%16, %17) : (tensor<2x8x2x4xf32>, tensor<4xi32>) -> tensor<2x2x4x8xf32>
    %19 = "tfl.pseudo_const"() <{values = dense<[0, 0, 0, 0]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %20 = "tfl.pseudo_const"() <{values = dense<[1, 2, 4, 8]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %21 = "tfl.slice"(%18, %19, %20) : (tensor<2x2x4x8xf32>, tensor<4xi32>, tensor<4xi32>) -> tensor<1x2x4x8xf32>
    %22 = "tfl.pseudo_const"() <{values = dense<[2, 4, 8]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %23 = "tfl.reshape"(%21, %22) <{new_shape = array<i64: 2, 4, 8>}> : (tensor<1x2x4x8xf32>, tensor<3xi32>) -> tensor<2x4x8xf32>
    %24 = "tfl.pseudo_const"() <{values = dense<[1, 0, 0, 0]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %25 = "tfl.slice"(%18, %24, %20) : (tensor<2x2x4x8xf32>, tensor<4xi32>, tensor<4xi32>) -> tensor<1x2x4x8xf32>
    %26 = "tfl.reshape"(%25, %22) <{new_shape = array<i64: 2, 4, 8>}> : (tensor<1x2x4x8xf32>, tensor<3xi32>) -> tensor<2x4x8xf32>
    return %23, %26 : tensor<2x4x8xf32>, tensor<2x4x8xf32>
  }
}
