// before
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<1x4xi64> {tosa.tensor_name = "x1"}) -> (tensor<3x4xf32> {tosa.tensor_name = "output_0"}) {
    %2 = "aten.scatter.value_out"(%arg0, %arg1) <{dim = 0 : i64, value = 0x40400000 : f32}> : (tensor<3x4xf32>, tensor<1x4xi64>) -> tensor<3x4xf32> loc("forward:6 aten::scatter.value_out")
    return %2 : tensor<3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<1x4xi32> {tosa.tensor_name = "x1"}) -> (tensor<3x4xf32> {tosa.tensor_name = "output_0"}) {
    %2 = "tosa.transpose"(%arg1) <{perms = array<i32: 1, 0>}> : (tensor<1x4xi32>) -> tensor<4x1xi32> loc("forward:6 aten::scatter.value_out")
    %3 = "tosa.const_shape"() <{values = dense<[4, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("forward:6 aten::scatter.value_out")
    %4 = "tosa.reshape"(%2, %3) : (tensor<4x1xi32>, !tosa.shape<3>) -> tensor<4x1x1xi32> loc("forward:6 aten::scatter.value_out")
    %5 = "tosa.const"() <{values = dense<"0x000000000100000002000000"> : tensor<1x3x1xi32>}> : () -> tensor<1x3x1xi32> loc("forward:6 aten::scatter.value_out")
    %6 = "tosa.equal"(%4, %5) : (tensor<4x1x1xi32>, tensor<1x3x1xi32>) -> tensor<4x3x1xi1> loc("forward:6 aten::scatter.value_out")
    %7 = "tosa.const"() <{values = dense<"0x01000000"> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32> loc("forward:6 aten::scatter.value_out")
    %8 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32> loc("forward:6 aten::scatter.value_out")
    %9 = "tosa.select"(%6, %7, %8) : (tensor<4x3x1xi1>, tensor<1x1x1xi32>, tensor<1x1x1xi32>) -> tensor<4x3x1xi32> loc("forward:6 aten::scatter.value_out")
    %10 = "tosa.reduce_max"(%9) <{axis = 2 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x3x1xi32>) -> tensor<4x3x1xi32> loc("forward:6 aten::scatter.value_out")
    %11 = "tosa.const_shape"() <{values = dense<[4, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("forward:6 aten::scatter.value_out")
    %12 = "tosa.reshape"(%10, %11) : (tensor<4x3x1xi32>, !tosa.shape<2>) -> tensor<4x3xi32> loc("forward:6 aten::scatter.value_out")
    %13 = "tosa.const"() <{values = dense<"0x0000000000004040000000000000404000000000000040400000000000004040"> : tensor<4x2x1xf32>}> : () -> tensor<4x2x1xf32> loc("forward:6 aten::scatter.value_out")
    %14 = "tosa.gather"(%13, %12) : (tensor<4x2x1xf32>, tensor<4x3xi32>) -> tensor<4x3x1xf32> loc("forward:6 aten::scatter.value_out")
    %15 = "tosa.reshape"(%14, %11) : (tensor<4x3x1xf32>, !tosa.shape<2>) -> tensor<4x3xf32> loc("forward:6 aten::scatter.value_out")
    %16 = "tosa.transpose"(%15) <{perms = array<i32: 1, 0>}> : (tensor<4x3xf32>) -> tensor<3x4xf32> loc("forward:6 aten::scatter.value_out")
    %17 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("forward:6 aten::scatter.value_out")
    %18 = "tosa.greater"(%12, %17) : (tensor<4x3xi32>, tensor<1x1xi32>) -> tensor<4x3xi1> loc("forward:6 aten::scatter.value_out")
    %19 = "tosa.cast"(%18) : (tensor<4x3xi1>) -> tensor<4x3xi8> loc("forward:6 aten::scatter.value_out")
    %20 = "tosa.transpose"(%19) <{perms = array<i32: 1, 0>}> : (tensor<4x3xi8>) -> tensor<3x4xi8> loc("forward:6 aten::scatter.value_out")
    %21 = "tosa.cast"(%20) : (tensor<3x4xi8>) -> tensor<3x4xi1> loc("forward:6 aten::scatter.value_out")
    %22 = "tosa.select"(%21, %16, %arg0) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32> loc("forward:6 aten::scatter.value_out")
    return %22 : tensor<3x4xf32>
  }
}
