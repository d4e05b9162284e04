// before
module {
  func.func @"main"(%arg0: tensor<2x4xi64> {tosa.tensor_name = "x0"}, %arg1: tensor<4xi64> {tosa.tensor_name = "x1"}) -> (tensor<2x4xi64> {tosa.tensor_name = "output_14"}) {
    %2 = "aten.index_select.out"(%arg0, %arg1) <{dim = 1 : i64}> : (tensor<2x4xi64>, tensor<4xi64>) -> tensor<2x4xi64>
    return %2 : tensor<2x4xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4xi32> {tosa.tensor_name = "x0"}, %arg1: tensor<4xi32> {tosa.tensor_name = "x1"}) -> (tensor<2x4xi32> {tosa.tensor_name = "output_14"}) {
    %2 = "tosa.const_shape"() <{values = dense<[2, 4, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<2x4xi32>, !tosa.shape<3>) -> tensor<2x4x1xi32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 1, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%arg1, %4) : (tensor<4xi32>, !tosa.shape<3>) -> tensor<1x1x4xi32>
    %6 = "tosa.const_shape"() <{values = dense<[1, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %7 = "tosa.tile"(%5, %6) : (tensor<1x1x4xi32>, !tosa.shape<3>) -> tensor<1x2x4xi32>
    %8 = "tosa.const_shape"() <{values = dense<[2, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %9 = "tosa.reshape"(%7, %8) : (tensor<1x2x4xi32>, !tosa.shape<2>) -> tensor<2x4xi32>
    %10 = "tosa.gather"(%3, %9) : (tensor<2x4x1xi32>, tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %11 = "tosa.reshape"(%10, %8) : (tensor<2x4x1xi32>, !tosa.shape<2>) -> tensor<2x4xi32>
    return %11 : tensor<2x4xi32>
  }
}
