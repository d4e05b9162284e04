// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.pack"(%arg0, %arg1) <{values_count = 2 : i64, axis = 0 : i64}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<2x1x4x4x2xf32>
    return %2 : tensor<2x1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.concat"(%arg0, %arg1) <{axis = 0 : i32}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<2x4x4x2xf32>
    %3 = "tosa.const_shape"() <{values = dense<[2, 1, 4, 4, 2]> : tensor<5xindex>}> : () -> !tosa.shape<5>
    %4 = "tosa.reshape"(%2, %3) : (tensor<2x4x4x2xf32>, !tosa.shape<5>) -> tensor<2x1x4x4x2xf32>
    return %4 : tensor<2x1x4x4x2xf32>
  }
}
