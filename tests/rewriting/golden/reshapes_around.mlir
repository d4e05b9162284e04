// before
module {
  func.func @"main"(%arg0: tensor<1x1x1x8xf32> {tosa.tensor_name = "x"}) -> (tensor<1x1x1x8xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 8]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x1x1x8xf32>, !tosa.shape<2>) -> tensor<1x8xf32> loc("")
    %3 = "tosa.reduce_sum"(%2) <{axis = 1 : i32}> : (tensor<1x8xf32>) -> tensor<1x1xf32> loc("")
    %4 = "tosa.const"() <{values = dense<"0x0000003E"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("")
    %5 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %6 = "tosa.mul"(%3, %4, %5) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x1xf32> loc("")
    %7 = "tosa.sub"(%2, %6) : (tensor<1x8xf32>, tensor<1x1xf32>) -> tensor<1x8xf32> loc("")
    %8 = "tosa.const"() <{values = dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E040"> : tensor<1x8xf32>}> : () -> tensor<1x8xf32> loc("")
    %9 = "tosa.mul"(%7, %8, %5) : (tensor<1x8xf32>, tensor<1x8xf32>, tensor<1xi8>) -> tensor<1x8xf32> loc("")
    %10 = "tosa.add"(%9, %7) : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32> loc("")
    %11 = "tosa.clamp"(%10) <{min_val = 0x00000000 : f32, max_val = 0x40C00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x8xf32>) -> tensor<1x8xf32> loc("")
    %12 = "tosa.const_shape"() <{values = dense<[1, 1, 1, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("")
    %13 = "tosa.reshape"(%11, %12) : (tensor<1x8xf32>, !tosa.shape<4>) -> tensor<1x1x1x8xf32> loc("")
    return %13 : tensor<1x1x1x8xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x1x1x8xf32> {tosa.tensor_name = "x"}) -> (tensor<1x1x1x8xf32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.reduce_sum"(%arg0) <{axis = 3 : i32}> : (tensor<1x1x1x8xf32>) -> tensor<1x1x1x1xf32> loc("")
    %2 = "tosa.const"() <{values = dense<"0x0000003E"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("")
    %3 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %4 = "tosa.mul"(%1, %2, %3) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x1xf32> loc("")
    %5 = "tosa.sub"(%arg0, %4) : (tensor<1x1x1x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x8xf32> loc("")
    %6 = "tosa.const"() <{values = dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E040"> : tensor<1x1x1x8xf32>}> : () -> tensor<1x1x1x8xf32> loc("")
    %7 = "tosa.mul"(%5, %6, %3) : (tensor<1x1x1x8xf32>, tensor<1x1x1x8xf32>, tensor<1xi8>) -> tensor<1x1x1x8xf32> loc("")
    %8 = "tosa.add"(%7, %5) : (tensor<1x1x1x8xf32>, tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32> loc("")
    %9 = "tosa.clamp"(%8) <{min_val = 0x00000000 : f32, max_val = 0x40C00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32> loc("")
    return %9 : tensor<1x1x1x8xf32>
  }
}
