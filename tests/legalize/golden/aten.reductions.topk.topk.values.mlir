// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x2xf32> {tosa.tensor_name = "output_21"}, tensor<2x3x2xi64> {tosa.tensor_name = "output_22"}) {
    %1, %2 = "aten.topk.values"(%arg0) <{k = 2 : i64, dim = -1 : i64, largest = true, sorted = true}> : (tensor<2x3x4xf32>) -> (tensor<2x3x2xf32>, tensor<2x3x2xi64>)
    return %1, %2 : tensor<2x3x2xf32>, tensor<2x3x2xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x2xf32> {tosa.tensor_name = "output_21"}, tensor<2x3x2xi32> {tosa.tensor_name = "output_22"}) {
    %1 = "tosa.const_shape"() <{values = dense<[6, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<6x4xf32>
    %3 = "tosa.const_shape"() <{values = dense<[6, 4, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%2, %3) : (tensor<6x4xf32>, !tosa.shape<3>) -> tensor<6x4x1xf32>
    %5 = "tosa.const"() <{values = dense<[[[false, false, false, false], [true, false, false, false], [true, true, false, false], [true, true, true, false]]]> : tensor<1x4x4xi1>}> : () -> tensor<1x4x4xi1>
    %6 = "tosa.equal"(%2, %2) : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xi1>
    %7 = "tosa.const"() <{values = dense<[[-inf]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %8 = "tosa.select"(%6, %2, %7) : (tensor<6x4xi1>, tensor<6x4xf32>, tensor<1x1xf32>) -> tensor<6x4xf32>
    %9 = "tosa.const_shape"() <{values = dense<[6, 1, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.reshape"(%8, %9) : (tensor<6x4xf32>, !tosa.shape<3>) -> tensor<6x1x4xf32>
    %11 = "tosa.reshape"(%8, %3) : (tensor<6x4xf32>, !tosa.shape<3>) -> tensor<6x4x1xf32>
    %12 = "tosa.greater_equal"(%10, %11) : (tensor<6x1x4xf32>, tensor<6x4x1xf32>) -> tensor<6x4x4xi1>
    %13 = "tosa.greater"(%10, %11) : (tensor<6x1x4xf32>, tensor<6x4x1xf32>) -> tensor<6x4x4xi1>
    %14 = "tosa.select"(%5, %12, %13) : (tensor<1x4x4xi1>, tensor<6x4x4xi1>, tensor<6x4x4xi1>) -> tensor<6x4x4xi1>
    %15 = "tosa.cast"(%14) : (tensor<6x4x4xi1>) -> tensor<6x4x4xi32>
    %16 = "tosa.reduce_sum"(%15) <{axis = 2 : i32}> : (tensor<6x4x4xi32>) -> tensor<6x4x1xi32>
    %17 = "tosa.reshape"(%16, %9) : (tensor<6x4x1xi32>, !tosa.shape<3>) -> tensor<6x1x4xi32>
    %18 = "tosa.const"() <{values = dense<[[[0], [1]]]> : tensor<1x2x1xi32>}> : () -> tensor<1x2x1xi32>
    %19 = "tosa.equal"(%17, %18) : (tensor<6x1x4xi32>, tensor<1x2x1xi32>) -> tensor<6x2x4xi1>
    %20 = "tosa.const"() <{values = dense<[[[0, 1, 2, 3]]]> : tensor<1x1x4xi32>}> : () -> tensor<1x1x4xi32>
    %21 = "tosa.const"() <{values = dense<[[[0]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %22 = "tosa.select"(%19, %20, %21) : (tensor<6x2x4xi1>, tensor<1x1x4xi32>, tensor<1x1x1xi32>) -> tensor<6x2x4xi32>
    %23 = "tosa.reduce_sum"(%22) <{axis = 2 : i32}> : (tensor<6x2x4xi32>) -> tensor<6x2x1xi32>
    %24 = "tosa.const_shape"() <{values = dense<[6, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %25 = "tosa.reshape"(%23, %24) : (tensor<6x2x1xi32>, !tosa.shape<2>) -> tensor<6x2xi32>
    %26 = "tosa.gather"(%4, %25) : (tensor<6x4x1xf32>, tensor<6x2xi32>) -> tensor<6x2x1xf32>
    %27 = "tosa.const_shape"() <{values = dense<[2, 3, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %28 = "tosa.reshape"(%26, %27) : (tensor<6x2x1xf32>, !tosa.shape<3>) -> tensor<2x3x2xf32>
    %29 = "tosa.reshape"(%25, %27) : (tensor<6x2xi32>, !tosa.shape<3>) -> tensor<2x3x2xi32>
    return %28, %29 : tensor<2x3x2xf32>, tensor<2x3x2xi32>
  }
}
