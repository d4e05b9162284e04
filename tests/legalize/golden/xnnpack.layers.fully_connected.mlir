// before
module {
  func.func @"main"(%arg0: tensor<4x24xf32> {tosa.tensor_name = "v0"}) -> (tensor<4x6xf32> {tosa.tensor_name = "v3"}) {
    %1 = "xnn.const"() <{values = dense_resource<__elided__> : tensor<6x24xf32>}> : () -> tensor<6x24xf32> loc("value 1")
    %2 = "xnn.const"() <{values = dense<"0x5FEAEF3FCDA4503E0B1D023FFCCE763ED9278FBFF9F0D7BE"> : tensor<6xf32>}> : () -> tensor<6xf32> loc("value 2")
    %3 = "xnn.fully_connected"(%arg0, %1, %2) <{flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<4x24xf32>, tensor<6x24xf32>, tensor<6xf32>) -> tensor<4x6xf32> loc("main:0 XNNFullyConnected handle 0")
    return %3 : tensor<4x6xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xf32> {tosa.tensor_name = "v0"}) -> (tensor<4x6xf32> {tosa.tensor_name = "v3"}) {
    %1 = "tosa.const_shape"() <{values = dense<[4, 1, 1, 24]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 XNNFullyConnected handle 0")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<4x24xf32>, !tosa.shape<4>) -> tensor<4x1x1x24xf32> loc("main:0 XNNFullyConnected handle 0")
    %3 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<6x1x1x24xf32>}> : () -> tensor<6x1x1x24xf32> loc("main:0 XNNFullyConnected handle 0")
    %4 = "tosa.const"() <{values = dense<"0x5FEAEF3FCDA4503E0B1D023FFCCE763ED9278FBFF9F0D7BE"> : tensor<6xf32>}> : () -> tensor<6xf32> loc("main:0 XNNFullyConnected handle 0")
    %5 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("main:0 XNNFullyConnected handle 0")
    %6 = "tosa.conv2d"(%2, %3, %4, %5, %5) <{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32, local_bound = false}> : (tensor<4x1x1x24xf32>, tensor<6x1x1x24xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x1x1x6xf32> loc("main:0 XNNFullyConnected handle 0")
    %7 = "tosa.const_shape"() <{values = dense<[4, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 XNNFullyConnected handle 0")
    %8 = "tosa.reshape"(%6, %7) : (tensor<4x1x1x6xf32>, !tosa.shape<2>) -> tensor<4x6xf32> loc("main:0 XNNFullyConnected handle 0")
    %9 = "tosa.clamp"(%8) <{min_val = 0xBF000000 : f32, max_val = 0x3FA00000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x6xf32>) -> tensor<4x6xf32> loc("main:0 XNNFullyConnected handle 0")
    return %9 : tensor<4x6xf32>
  }
}
