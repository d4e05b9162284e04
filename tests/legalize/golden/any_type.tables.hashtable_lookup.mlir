// before
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<4x3xf32> {tosa.tensor_name = "t2"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}, tensor<2x!quant.uniform<ui8:f32, 0.10000000149011612:135>> {tosa.tensor_name = "t4"}) {
    %2 = "tfl.pseudo_const"() <{values = dense<[1, 3, 5, 7]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %3, %4 = "tfl.hashtable_lookup"(%arg0, %2, %arg1) : (tensor<2xi32>, tensor<4xi32>, tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<2x!quant.uniform<ui8:f32, 0.10000000149011612:135>>)
    return %3, %4 : tensor<2x3xf32>, tensor<2x!quant.uniform<ui8:f32, 0.10000000149011612:135>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<4x3xf32> {tosa.tensor_name = "t2"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}, tensor<2xi8> {tosa.tensor_name = "t4"}) {
    %2 = "tosa.const_shape"() <{values = dense<[2, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<2x1xi32>
    %4 = "tosa.const"() <{values = dense<[[1, 3, 5, 7]]> : tensor<1x4xi32>}> : () -> tensor<1x4xi32>
    %5 = "tosa.equal"(%3, %4) : (tensor<2x1xi32>, tensor<1x4xi32>) -> tensor<2x4xi1>
    %6 = "tosa.reduce_any"(%5) <{axis = 1 : i32}> : (tensor<2x4xi1>) -> tensor<2x1xi1>
    %7 = "tosa.const_shape"() <{values = dense<[1, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %8 = "tosa.reshape"(%6, %7) : (tensor<2x1xi1>, !tosa.shape<3>) -> tensor<1x2x1xi1>
    %9 = "tosa.const_shape"() <{values = dense<[1, 4, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.reshape"(%arg1, %9) : (tensor<4x3xf32>, !tosa.shape<3>) -> tensor<1x4x3xf32>
    %11 = "tosa.const"() <{values = dense<[[0, 1, 2, 3]]> : tensor<1x4xi32>}> : () -> tensor<1x4xi32>
    %12 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %13 = "tosa.select"(%5, %11, %12) : (tensor<2x4xi1>, tensor<1x4xi32>, tensor<1x1xi32>) -> tensor<2x4xi32>
    %14 = "tosa.reduce_max"(%13) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x4xi32>) -> tensor<2x1xi32>
    %15 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %16 = "tosa.reshape"(%14, %15) : (tensor<2x1xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
    %17 = "tosa.gather"(%10, %16) : (tensor<1x4x3xf32>, tensor<1x2xi32>) -> tensor<1x2x3xf32>
    %18 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %19 = "tosa.select"(%8, %17, %18) : (tensor<1x2x1xi1>, tensor<1x2x3xf32>, tensor<1x1x1xf32>) -> tensor<1x2x3xf32>
    %20 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %21 = "tosa.reshape"(%19, %20) : (tensor<1x2x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
    %22 = "tosa.const_shape"() <{values = dense<[2]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %23 = "tosa.reshape"(%8, %22) : (tensor<1x2x1xi1>, !tosa.shape<1>) -> tensor<2xi1>
    %24 = "tosa.cast"(%23) : (tensor<2xi1>) -> tensor<2xi8>
    return %21, %24 : tensor<2x3xf32>, tensor<2xi8>
  }
}
