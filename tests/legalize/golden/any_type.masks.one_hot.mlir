// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<f32> {tosa.tensor_name = "t2"}, %arg2: tensor<f32> {tosa.tensor_name = "t3"}) -> (tensor<1x4x4x2x3xf32> {tosa.tensor_name = "t4"}) {
    %3 = "tfl.pseudo_const"() <{values = dense<"0x03000000"> : tensor<i32>}> : () -> tensor<i32> loc("Model.subgraphs[0].tensors[1]")
    %4 = "tfl.one_hot"(%arg0, %3, %arg1, %arg2) <{axis = -1 : i64}> : (tensor<1x4x4x2xi32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x4x4x2x3xf32> loc("main:0 ONE_HOT 't4'")
    return %4 : tensor<1x4x4x2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<f32> {tosa.tensor_name = "t2"}, %arg2: tensor<f32> {tosa.tensor_name = "t3"}) -> (tensor<1x4x4x2x3xf32> {tosa.tensor_name = "t4"}) {
    %3 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2, 1]> : tensor<5xindex>}> : () -> !tosa.shape<5> loc("main:0 ONE_HOT 't4'")
    %4 = "tosa.reshape"(%arg0, %3) : (tensor<1x4x4x2xi32>, !tosa.shape<5>) -> tensor<1x4x4x2x1xi32> loc("main:0 ONE_HOT 't4'")
    %5 = "tosa.const"() <{values = dense<"0x000000000100000002000000"> : tensor<1x1x1x1x3xi32>}> : () -> tensor<1x1x1x1x3xi32> loc("main:0 ONE_HOT 't4'")
    %6 = "tosa.equal"(%4, %5) : (tensor<1x4x4x2x1xi32>, tensor<1x1x1x1x3xi32>) -> tensor<1x4x4x2x3xi1> loc("main:0 ONE_HOT 't4'")
    %7 = "tosa.const_shape"() <{values = dense<[1, 1, 1, 1, 1]> : tensor<5xindex>}> : () -> !tosa.shape<5> loc("main:0 ONE_HOT 't4'")
    %8 = "tosa.reshape"(%arg1, %7) : (tensor<f32>, !tosa.shape<5>) -> tensor<1x1x1x1x1xf32> loc("main:0 ONE_HOT 't4'")
    %9 = "tosa.reshape"(%arg2, %7) : (tensor<f32>, !tosa.shape<5>) -> tensor<1x1x1x1x1xf32> loc("main:0 ONE_HOT 't4'")
    %10 = "tosa.select"(%6, %8, %9) : (tensor<1x4x4x2x3xi1>, tensor<1x1x1x1x1xf32>, tensor<1x1x1x1x1xf32>) -> tensor<1x4x4x2x3xf32> loc("main:0 ONE_HOT 't4'")
    return %10 : tensor<1x4x4x2x3xf32>
  }
}
