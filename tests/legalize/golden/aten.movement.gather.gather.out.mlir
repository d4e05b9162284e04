// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<1x1x4xi64> {tosa.tensor_name = "x1"}) -> (tensor<1x1x4xf32> {tosa.tensor_name = "output_22"}) {
    %2 = "aten.gather.out"(%arg0, %arg1) <{dim = 1 : i64, sparse_grad = false}> : (tensor<2x3x4xf32>, tensor<1x1x4xi64>) -> tensor<1x1x4xf32> loc("forward:34 aten::gather.out")
    return %2 : tensor<1x1x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<1x1x4xi32> {tosa.tensor_name = "x1"}) -> (tensor<1x1x4xf32> {tosa.tensor_name = "output_22"}) {
    %2 = "tosa.const"() <{values = dense<"0x04000000"> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32> loc("forward:34 aten::gather.out")
    %3 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("forward:34 aten::gather.out")
    %4 = "tosa.mul"(%arg1, %2, %3) : (tensor<1x1x4xi32>, tensor<1x1x1xi32>, tensor<1xi8>) -> tensor<1x1x4xi32> loc("forward:34 aten::gather.out")
    %5 = "tosa.const"() <{values = dense<"0x00000000010000000200000003000000"> : tensor<1x1x4xi32>}> : () -> tensor<1x1x4xi32> loc("forward:34 aten::gather.out")
    %6 = "tosa.add"(%4, %5) : (tensor<1x1x4xi32>, tensor<1x1x4xi32>) -> tensor<1x1x4xi32> loc("forward:34 aten::gather.out")
    %7 = "tosa.const_shape"() <{values = dense<[1, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("forward:34 aten::gather.out")
    %8 = "tosa.reshape"(%6, %7) : (tensor<1x1x4xi32>, !tosa.shape<2>) -> tensor<1x4xi32> loc("forward:34 aten::gather.out")
    %9 = "tosa.const_shape"() <{values = dense<[1, 24, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("forward:34 aten::gather.out")
    %10 = "tosa.reshape"(%arg0, %9) : (tensor<2x3x4xf32>, !tosa.shape<3>) -> tensor<1x24x1xf32> loc("forward:34 aten::gather.out")
    %11 = "tosa.gather"(%10, %8) : (tensor<1x24x1xf32>, tensor<1x4xi32>) -> tensor<1x4x1xf32> loc("forward:34 aten::gather.out")
    %12 = "tosa.const_shape"() <{values = dense<[1, 1, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("forward:34 aten::gather.out")
    %13 = "tosa.reshape"(%11, %12) : (tensor<1x4x1xf32>, !tosa.shape<3>) -> tensor<1x1x4xf32> loc("forward:34 aten::gather.out")
    return %13 : tensor<1x1x4xf32>
  }
}
