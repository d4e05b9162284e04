// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2x5x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x5xf32> {tosa.tensor_name = "output_0"}) {
    %2 = "aten._cdist_forward.out"(%arg0, %arg1) <{p = 0x40000000 : f32, compute_mode = "None"}> : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
    return %2 : tensor<2x3x5xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<2x5x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x5xf32> {tosa.tensor_name = "output_0"}) {
    %2 = "tosa.const_shape"() <{values = dense<[2, 3, 1, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<2x3x4xf32>, !tosa.shape<4>) -> tensor<2x3x1x4xf32>
    %4 = "tosa.const_shape"() <{values = dense<[2, 1, 5, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %5 = "tosa.reshape"(%arg1, %4) : (tensor<2x5x4xf32>, !tosa.shape<4>) -> tensor<2x1x5x4xf32>
    %6 = "tosa.sub"(%3, %5) : (tensor<2x3x1x4xf32>, tensor<2x1x5x4xf32>) -> tensor<2x3x5x4xf32>
    %7 = "tosa.abs"(%6) : (tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.mul"(%7, %7, %8) : (tensor<2x3x5x4xf32>, tensor<2x3x5x4xf32>, tensor<1xi8>) -> tensor<2x3x5x4xf32>
    %10 = "tosa.reduce_sum"(%9) <{axis = 3 : i32}> : (tensor<2x3x5x4xf32>) -> tensor<2x3x5x1xf32>
    %11 = "tosa.rsqrt"(%10) : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %12 = "tosa.reciprocal"(%11) : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %13 = "tosa.const_shape"() <{values = dense<[2, 3, 5]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %14 = "tosa.reshape"(%12, %13) : (tensor<2x3x5x1xf32>, !tosa.shape<3>) -> tensor<2x3x5xf32>
    return %14 : tensor<2x3x5xf32>
  }
}
