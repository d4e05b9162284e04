// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2x3x2xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_7"}) {
    %2 = "aten.slice_scatter.out"(%arg0, %arg1) <{dim = 2 : i64, start = 1 : i64, end = 4 : i64, step = 2 : i64}> : (tensor<2x3x4xf32>, tensor<2x3x2xf32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2x3x2xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_7"}) {
    %2 = "tosa.concat"(%arg0, %arg1) <{axis = 2 : i32}> : (tensor<2x3x4xf32>, tensor<2x3x2xf32>) -> tensor<2x3x6xf32>
    %3 = "tosa.const_shape"() <{values = dense<[6, 6, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%2, %3) : (tensor<2x3x6xf32>, !tosa.shape<3>) -> tensor<6x6x1xf32>
    %5 = "tosa.const"() <{values = dense<sha256 75f8ba486ff81952> : tensor<6x4xi32>}> : () -> tensor<6x4xi32>
    %6 = "tosa.gather"(%4, %5) : (tensor<6x6x1xf32>, tensor<6x4xi32>) -> tensor<6x4x1xf32>
    %7 = "tosa.const_shape"() <{values = dense<[2, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %8 = "tosa.reshape"(%6, %7) : (tensor<6x4x1xf32>, !tosa.shape<3>) -> tensor<2x3x4xf32>
    return %8 : tensor<2x3x4xf32>
  }
}
