// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x2xf32> {tosa.tensor_name = "output_21"}, tensor<2x3x2xi64> {tosa.tensor_name = "output_22"}) {
    %1, %2 = "aten.topk.values"(%arg0) <{k = 2 : i64, dim = -1 : i64, largest = true, sorted = true}> : (tensor<2x3x4xf32>) -> (tensor<2x3x2xf32>, tensor<2x3x2xi64>) loc("forward:22 aten::topk.values")
    return %1, %2 : tensor<2x3x2xf32>, tensor<2x3x2xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x2xf32> {tosa.tensor_name = "output_21"}, tensor<2x3x2xi32> {tosa.tensor_name = "output_22"}) {
    %1 = "tosa.const_shape"() <{values = dense<[6, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("forward:22 aten::topk.values")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<6x4xf32> loc("forward:22 aten::topk.values")
    %3 = "tosa.equal"(%2, %2) : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xi1> loc("forward:22 aten::topk.values")
    %4 = "tosa.const"() <{values = dense<"0x000080FF"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("forward:22 aten::topk.values")
    %5 = "tosa.select"(%3, %2, %4) : (tensor<6x4xi1>, tensor<6x4xf32>, tensor<1x1xf32>) -> tensor<6x4xf32> loc("forward:22 aten::topk.values")
    %6 = "tosa.const_shape"() <{values = dense<[6, 4, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("forward:22 aten::topk.values")
    %7 = "tosa.reshape"(%5, %6) : (tensor<6x4xf32>, !tosa.shape<3>) -> tensor<6x4x1xf32> loc("forward:22 aten::topk.values")
    %8 = "tosa.const_shape"() <{values = dense<[6, 1, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("forward:22 aten::topk.values")
    %9 = "tosa.reshape"(%5, %8) : (tensor<6x4xf32>, !tosa.shape<3>) -> tensor<6x1x4xf32> loc("forward:22 aten::topk.values")
    %10 = "tosa.greater_equal"(%9, %7) : (tensor<6x1x4xf32>, tensor<6x4x1xf32>) -> tensor<6x4x4xi1> loc("forward:22 aten::topk.values")
    %11 = "tosa.greater"(%9, %7) : (tensor<6x1x4xf32>, tensor<6x4x1xf32>) -> tensor<6x4x4xi1> loc("forward:22 aten::topk.values")
    %12 = "tosa.const"() <{values = dense<[[[false, false, false, false], [true, false, false, false], [true, true, false, false], [true, true, true, false]]]> : tensor<1x4x4xi1>}> : () -> tensor<1x4x4xi1> loc("forward:22 aten::topk.values")
    %13 = "tosa.select"(%12, %10, %11) : (tensor<1x4x4xi1>, tensor<6x4x4xi1>, tensor<6x4x4xi1>) -> tensor<6x4x4xi1> loc("forward:22 aten::topk.values")
    %14 = "tosa.cast"(%13) : (tensor<6x4x4xi1>) -> tensor<6x4x4xi32> loc("forward:22 aten::topk.values")
    %15 = "tosa.reduce_sum"(%14) <{axis = 2 : i32}> : (tensor<6x4x4xi32>) -> tensor<6x4x1xi32> loc("forward:22 aten::topk.values")
    %16 = "tosa.reshape"(%15, %8) : (tensor<6x4x1xi32>, !tosa.shape<3>) -> tensor<6x1x4xi32> loc("forward:22 aten::topk.values")
    %17 = "tosa.const"() <{values = dense<"0x0000000001000000"> : tensor<1x2x1xi32>}> : () -> tensor<1x2x1xi32> loc("forward:22 aten::topk.values")
    %18 = "tosa.equal"(%16, %17) : (tensor<6x1x4xi32>, tensor<1x2x1xi32>) -> tensor<6x2x4xi1> loc("forward:22 aten::topk.values")
    %19 = "tosa.const"() <{values = dense<"0x00000000010000000200000003000000"> : tensor<1x1x4xi32>}> : () -> tensor<1x1x4xi32> loc("forward:22 aten::topk.values")
    %20 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32> loc("forward:22 aten::topk.values")
    %21 = "tosa.select"(%18, %19, %20) : (tensor<6x2x4xi1>, tensor<1x1x4xi32>, tensor<1x1x1xi32>) -> tensor<6x2x4xi32> loc("forward:22 aten::topk.values")
    %22 = "tosa.reduce_sum"(%21) <{axis = 2 : i32}> : (tensor<6x2x4xi32>) -> tensor<6x2x1xi32> loc("forward:22 aten::topk.values")
    %23 = "tosa.const_shape"() <{values = dense<[6, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("forward:22 aten::topk.values")
    %24 = "tosa.reshape"(%22, %23) : (tensor<6x2x1xi32>, !tosa.shape<2>) -> tensor<6x2xi32> loc("forward:22 aten::topk.values")
    %25 = "tosa.reshape"(%2, %6) : (tensor<6x4xf32>, !tosa.shape<3>) -> tensor<6x4x1xf32> loc("forward:22 aten::topk.values")
    %26 = "tosa.gather"(%25, %24) : (tensor<6x4x1xf32>, tensor<6x2xi32>) -> tensor<6x2x1xf32> loc("forward:22 aten::topk.values")
    %27 = "tosa.const_shape"() <{values = dense<[2, 3, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("forward:22 aten::topk.values")
    %28 = "tosa.reshape"(%26, %27) : (tensor<6x2x1xf32>, !tosa.shape<3>) -> tensor<2x3x2xf32> loc("forward:22 aten::topk.values")
    %29 = "tosa.reshape"(%24, %27) : (tensor<6x2xi32>, !tosa.shape<3>) -> tensor<2x3x2xi32> loc("forward:22 aten::topk.values")
    return %28, %29 : tensor<2x3x2xf32>, tensor<2x3x2xi32>
  }
}
