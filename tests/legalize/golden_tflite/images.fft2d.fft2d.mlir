// before
module {
  func.func @"main"(%arg0: tensor<2x4x8xf32> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x8xf32> {tosa.tensor_name = "in1"}) -> (tensor<2x4x8xf32> {tosa.tensor_name = "out0"}, tensor<2x4x8xf32> {tosa.tensor_name = "out1"}) {
    %2, %3 = "tosa.fft2d"(%arg0, %arg1) <{inverse = false, local_bound = true}> : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>) loc("")
    return %2, %3 : tensor<2x4x8xf32>, tensor<2x4x8xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4x8xf32> {tosa.tensor_name = "in0"}, %arg1: tensor<2x4x8xf32> {tosa.tensor_name = "in1"}) -> (tensor<2x4x8xf32> {tosa.tensor_name = "out0"}, tensor<2x4x8xf32> {tosa.tensor_name = "out1"}) {
    %2 = "tfl.concatenation"(%arg0, %arg1) <{axis = 2 : i64}> : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x16xf32> loc("")
    %3 = "tfl.pseudo_const"() <{values = dense<"0x010000000800000010000000"> : tensor<3xi32>}> : () -> tensor<3xi32> loc("")
    %4 = "tfl.reshape"(%2, %3) <{new_shape = array<i64: 1, 8, 16>}> : (tensor<2x4x16xf32>, tensor<3xi32>) -> tensor<1x8x16xf32> loc("")
    %5 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<1x16x16xf32>}> : () -> tensor<1x16x16xf32> loc("")
    %6 = "tfl.batch_matmul"(%4, %5) : (tensor<1x8x16xf32>, tensor<1x16x16xf32>) -> tensor<1x8x16xf32> loc("")
    %7 = "tfl.pseudo_const"() <{values = dense<"0x02000000040000000200000008000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %8 = "tfl.reshape"(%6, %7) <{new_shape = array<i64: 2, 4, 2, 8>}> : (tensor<1x8x16xf32>, tensor<4xi32>) -> tensor<2x4x2x8xf32> loc("")
    %9 = "tfl.pseudo_const"() <{values = dense<"0x00000000030000000200000001000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %10 = "tfl.transpose"(%8, %9) : (tensor<2x4x2x8xf32>, tensor<4xi32>) -> tensor<2x8x2x4xf32> loc("")
    %11 = "tfl.pseudo_const"() <{values = dense<"0x010000001000000008000000"> : tensor<3xi32>}> : () -> tensor<3xi32> loc("")
    %12 = "tfl.reshape"(%10, %11) <{new_shape = array<i64: 1, 16, 8>}> : (tensor<2x8x2x4xf32>, tensor<3xi32>) -> tensor<1x16x8xf32> loc("")
    %13 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<1x8x8xf32>}> : () -> tensor<1x8x8xf32> loc("")
    %14 = "tfl.batch_matmul"(%12, %13) : (tensor<1x16x8xf32>, tensor<1x8x8xf32>) -> tensor<1x16x8xf32> loc("")
    %15 = "tfl.pseudo_const"() <{values = dense<"0x02000000080000000200000004000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %16 = "tfl.reshape"(%14, %15) <{new_shape = array<i64: 2, 8, 2, 4>}> : (tensor<1x16x8xf32>, tensor<4xi32>) -> tensor<2x8x2x4xf32> loc("")
    %17 = "tfl.pseudo_const"() <{values = dense<"0x02000000000000000300000001000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %18 = "tfl.transpose"(%16, %17) : (tensor<2x8x2x4xf32>, tensor<4xi32>) -> tensor<2x2x4x8xf32> loc("")
    %19 = "tfl.pseudo_const"() <{values = dense<"0x00000000000000000000000000000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %20 = "tfl.pseudo_const"() <{values = dense<"0x01000000020000000400000008000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %21 = "tfl.slice"(%18, %19, %20) : (tensor<2x2x4x8xf32>, tensor<4xi32>, tensor<4xi32>) -> tensor<1x2x4x8xf32> loc("")
    %22 = "tfl.pseudo_const"() <{values = dense<"0x020000000400000008000000"> : tensor<3xi32>}> : () -> tensor<3xi32> loc("")
    %23 = "tfl.reshape"(%21, %22) <{new_shape = array<i64: 2, 4, 8>}> : (tensor<1x2x4x8xf32>, tensor<3xi32>) -> tensor<2x4x8xf32> loc("")
    %24 = "tfl.pseudo_const"() <{values = dense<"0x01000000000000000000000000000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("")
    %25 = "tfl.slice"(%18, %24, %20) : (tensor<2x2x4x8xf32>, tensor<4xi32>, tensor<4xi32>) -> tensor<1x2x4x8xf32> loc("")
    %26 = "tfl.reshape"(%25, %22) <{new_shape = array<i64: 2, 4, 8>}> : (tensor<1x2x4x8xf32>, tensor<3xi32>) -> tensor<2x4x8xf32> loc("")
    return %23, %26 : tensor<2x4x8xf32>, tensor<2x4x8xf32>
  }
}
