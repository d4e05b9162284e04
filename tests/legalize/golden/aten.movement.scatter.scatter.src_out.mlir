// before
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2x3xi64> {tosa.tensor_name = "x1"}, %arg2: tensor<2x3xf32> {tosa.tensor_name = "x2"}) -> (tensor<3x4xf32> {tosa.tensor_name = "output_1"}) {
    %3 = "aten.scatter.src_out"(%arg0, %arg1, %arg2) <{dim = 1 : i64}> : (tensor<3x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<3x4xf32> loc("forward:9 aten::scatter.src_out")
    return %3 : tensor<3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2x3xi32> {tosa.tensor_name = "x1"}, %arg2: tensor<2x3xf32> {tosa.tensor_name = "x2"}) -> (tensor<3x4xf32> {tosa.tensor_name = "output_1"}) {
    %3 = "tosa.const_shape"() <{values = dense<[2, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("forward:9 aten::scatter.src_out")
    %4 = "tosa.reshape"(%arg1, %3) : (tensor<2x3xi32>, !tosa.shape<3>) -> tensor<2x1x3xi32> loc("forward:9 aten::scatter.src_out")
    %5 = "tosa.const"() <{values = dense<"0x00000000010000000200000003000000"> : tensor<1x4x1xi32>}> : () -> tensor<1x4x1xi32> loc("forward:9 aten::scatter.src_out")
    %6 = "tosa.equal"(%4, %5) : (tensor<2x1x3xi32>, tensor<1x4x1xi32>) -> tensor<2x4x3xi1> loc("forward:9 aten::scatter.src_out")
    %7 = "tosa.const"() <{values = dense<"0x010000000200000003000000"> : tensor<1x1x3xi32>}> : () -> tensor<1x1x3xi32> loc("forward:9 aten::scatter.src_out")
    %8 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32> loc("forward:9 aten::scatter.src_out")
    %9 = "tosa.select"(%6, %7, %8) : (tensor<2x4x3xi1>, tensor<1x1x3xi32>, tensor<1x1x1xi32>) -> tensor<2x4x3xi32> loc("forward:9 aten::scatter.src_out")
    %10 = "tosa.reduce_max"(%9) <{axis = 2 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x4x3xi32>) -> tensor<2x4x1xi32> loc("forward:9 aten::scatter.src_out")
    %11 = "tosa.const_shape"() <{values = dense<[2, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("forward:9 aten::scatter.src_out")
    %12 = "tosa.reshape"(%10, %11) : (tensor<2x4x1xi32>, !tosa.shape<2>) -> tensor<2x4xi32> loc("forward:9 aten::scatter.src_out")
    %13 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("forward:9 aten::scatter.src_out")
    %14 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("forward:9 aten::scatter.src_out")
    %15 = "tosa.pad"(%arg2, %13, %14) : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<2x4xf32> loc("forward:9 aten::scatter.src_out")
    %16 = "tosa.const_shape"() <{values = dense<[2, 4, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("forward:9 aten::scatter.src_out")
    %17 = "tosa.reshape"(%15, %16) : (tensor<2x4xf32>, !tosa.shape<3>) -> tensor<2x4x1xf32> loc("forward:9 aten::scatter.src_out")
    %18 = "tosa.gather"(%17, %12) : (tensor<2x4x1xf32>, tensor<2x4xi32>) -> tensor<2x4x1xf32> loc("forward:9 aten::scatter.src_out")
    %19 = "tosa.reshape"(%18, %11) : (tensor<2x4x1xf32>, !tosa.shape<2>) -> tensor<2x4xf32> loc("forward:9 aten::scatter.src_out")
    %20 = "tosa.const_shape"() <{values = dense<[0, 1, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("forward:9 aten::scatter.src_out")
    %21 = "tosa.pad"(%19, %20, %14) : (tensor<2x4xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x4xf32> loc("forward:9 aten::scatter.src_out")
    %22 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("forward:9 aten::scatter.src_out")
    %23 = "tosa.greater"(%12, %22) : (tensor<2x4xi32>, tensor<1x1xi32>) -> tensor<2x4xi1> loc("forward:9 aten::scatter.src_out")
    %24 = "tosa.cast"(%23) : (tensor<2x4xi1>) -> tensor<2x4xi8> loc("forward:9 aten::scatter.src_out")
    %25 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("forward:9 aten::scatter.src_out")
    %26 = "tosa.pad"(%24, %20, %25) : (tensor<2x4xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<3x4xi8> loc("forward:9 aten::scatter.src_out")
    %27 = "tosa.cast"(%26) : (tensor<3x4xi8>) -> tensor<3x4xi1> loc("forward:9 aten::scatter.src_out")
    %28 = "tosa.select"(%27, %21, %arg0) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32> loc("forward:9 aten::scatter.src_out")
    return %28 : tensor<3x4xf32>
  }
}
