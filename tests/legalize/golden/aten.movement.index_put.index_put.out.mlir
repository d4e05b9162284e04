// before
module {
  func.func @"main"(%arg0: tensor<1x6x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2xi64> {tosa.tensor_name = "x1"}, %arg2: tensor<2x4xf32> {tosa.tensor_name = "x2"}) -> (tensor<1x6x4xf32> {tosa.tensor_name = ""}) {
    %3 = "aten.index_put.out"(%arg0, %none, %arg1, %arg2) <{accumulate = false}> : (tensor<1x6x4xf32>, none, tensor<2xi64>, tensor<2x4xf32>) -> tensor<1x6x4xf32>
    return %3 : tensor<1x6x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x6x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2xi32> {tosa.tensor_name = "x1"}, %arg2: tensor<2x4xf32> {tosa.tensor_name = "x2"}) -> (tensor<1x6x4xf32> {tosa.tensor_name = ""}) {
    %3 = "tosa.transpose"(%arg0) <{perms = array<i32: 1, 0, 2>}> : (tensor<1x6x4xf32>) -> tensor<6x1x4xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 6, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%3, %4) : (tensor<6x1x4xf32>, !tosa.shape<3>) -> tensor<1x6x4xf32>
    %6 = "tosa.const_shape"() <{values = dense<[1, 2, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %7 = "tosa.reshape"(%arg2, %6) : (tensor<2x4xf32>, !tosa.shape<3>) -> tensor<1x2x4xf32>
    %8 = "tosa.transpose"(%7) <{perms = array<i32: 1, 0, 2>}> : (tensor<1x2x4xf32>) -> tensor<2x1x4xf32>
    %9 = "tosa.reshape"(%8, %6) : (tensor<2x1x4xf32>, !tosa.shape<3>) -> tensor<1x2x4xf32>
    %10 = "tosa.concat"(%5, %9) <{axis = 1 : i32}> : (tensor<1x6x4xf32>, tensor<1x2x4xf32>) -> tensor<1x8x4xf32>
    %11 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %12 = "tosa.greater"(%11, %arg1) : (tensor<1xi32>, tensor<2xi32>) -> tensor<2xi1>
    %13 = "tosa.const"() <{values = dense<[6]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %14 = "tosa.add"(%arg1, %13) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %15 = "tosa.select"(%12, %14, %arg1) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %16 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %17 = "tosa.reshape"(%15, %16) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
    %18 = "tosa.const"() <{values = dense<[[0], [1], [2], [3], [4], [5]]> : tensor<6x1xi32>}> : () -> tensor<6x1xi32>
    %19 = "tosa.equal"(%17, %18) : (tensor<1x2xi32>, tensor<6x1xi32>) -> tensor<6x2xi1>
    %20 = "tosa.const"() <{values = dense<[[1, 2]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %21 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %22 = "tosa.select"(%19, %20, %21) : (tensor<6x2xi1>, tensor<1x2xi32>, tensor<1x1xi32>) -> tensor<6x2xi32>
    %23 = "tosa.reduce_max"(%22) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<6x2xi32>) -> tensor<6x1xi32>
    %24 = "tosa.const_shape"() <{values = dense<[1, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %25 = "tosa.reshape"(%23, %24) : (tensor<6x1xi32>, !tosa.shape<2>) -> tensor<1x6xi32>
    %26 = "tosa.greater"(%25, %21) : (tensor<1x6xi32>, tensor<1x1xi32>) -> tensor<1x6xi1>
    %27 = "tosa.const"() <{values = dense<[[5]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %28 = "tosa.add"(%25, %27) : (tensor<1x6xi32>, tensor<1x1xi32>) -> tensor<1x6xi32>
    %29 = "tosa.const"() <{values = dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi32>}> : () -> tensor<1x6xi32>
    %30 = "tosa.select"(%26, %28, %29) : (tensor<1x6xi1>, tensor<1x6xi32>, tensor<1x6xi32>) -> tensor<1x6xi32>
    %31 = "tosa.gather"(%10, %30) : (tensor<1x8x4xf32>, tensor<1x6xi32>) -> tensor<1x6x4xf32>
    %32 = "tosa.const_shape"() <{values = dense<[6, 1, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %33 = "tosa.reshape"(%31, %32) : (tensor<1x6x4xf32>, !tosa.shape<3>) -> tensor<6x1x4xf32>
    %34 = "tosa.transpose"(%33) <{perms = array<i32: 1, 0, 2>}> : (tensor<6x1x4xf32>) -> tensor<1x6x4xf32>
    return %34 : tensor<1x6x4xf32>
  }
}
