// before
module {
  func.func @"main"(%arg0: tensor<1x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5], [0.75, -0.75]]> : tensor<4x2xf32>}> : () -> tensor<4x2xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5], [-0.25, 0.0, 0.25]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    %3 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5]> : tensor<2xf32>}> : () -> tensor<2xf32>
    %4 = "tfl.pseudo_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<1x12xf32>, unset = false}> : () -> tensor<1x12xf32>
    %5, %6 = "tfl.svdf"(%arg0, %1, %2, %3, %4) <{rank = 2 : i64, fused_activation_function = "TANH", asymmetric_quantize_inputs = false}> : (tensor<1x2xf32>, tensor<4x2xf32>, tensor<4x3xf32>, tensor<2xf32>, tensor<1x12xf32>) -> (tensor<1x2xf32>, tensor<1x12xf32>)
    "tfl.pseudo_store"(%6) <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<1x12xf32>, shape = array<i64: 1, 12>, declared = true}> : (tensor<1x12xf32>) -> ()
    return %5 : tensor<1x2xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t4 at Model.subgraphs[0].tensors[4]", type = f32, var_shape = dense<[1, 12]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"> : tensor<1x12xf32>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tosa.variable_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : () -> tensor<1x12xf32>
    %2 = "tosa.const_shape"() <{values = dense<[1, 4, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%1, %2) : (tensor<1x12xf32>, !tosa.shape<3>) -> tensor<1x4x3xf32>
    %4 = "tosa.const_shape"() <{values = dense<[0, 0, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.const_shape"() <{values = dense<[1, 4, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.slice"(%3, %4, %5) : (tensor<1x4x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x4x2xf32>
    %7 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %8 = "tosa.reshape"(%arg0, %7) : (tensor<1x2xf32>, !tosa.shape<3>) -> tensor<1x1x2xf32>
    %9 = "tosa.const"() <{values = dense<[[[-0.75, -0.25, 0.25, 0.75], [-0.5, 0.0, 0.5, -0.75]]]> : tensor<1x2x4xf32>}> : () -> tensor<1x2x4xf32>
    %10 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %11 = "tosa.matmul"(%8, %9, %10, %10) : (tensor<1x1x2xf32>, tensor<1x2x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x4xf32>
    %12 = "tosa.const_shape"() <{values = dense<[1, 4, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %13 = "tosa.reshape"(%11, %12) : (tensor<1x1x4xf32>, !tosa.shape<3>) -> tensor<1x4x1xf32>
    %14 = "tosa.concat"(%6, %13) <{axis = 2 : i32}> : (tensor<1x4x2xf32>, tensor<1x4x1xf32>) -> tensor<1x4x3xf32>
    %15 = "tosa.const"() <{values = dense<[[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5], [-0.25, 0.0, 0.25]]]> : tensor<1x4x3xf32>}> : () -> tensor<1x4x3xf32>
    %16 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = "tosa.mul"(%14, %15, %16) : (tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1xi8>) -> tensor<1x4x3xf32>
    %18 = "tosa.const_shape"() <{values = dense<[1, 2, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %19 = "tosa.reshape"(%17, %18) : (tensor<1x4x3xf32>, !tosa.shape<3>) -> tensor<1x2x6xf32>
    %20 = "tosa.reduce_sum"(%19) <{axis = 2 : i32}> : (tensor<1x2x6xf32>) -> tensor<1x2x1xf32>
    %21 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %22 = "tosa.reshape"(%20, %21) : (tensor<1x2x1xf32>, !tosa.shape<2>) -> tensor<1x2xf32>
    %23 = "tosa.const"() <{values = dense<[[-0.75, -0.5]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
    %24 = "tosa.add"(%22, %23) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %25 = "tosa.tanh"(%24) : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %26 = "tosa.const_shape"() <{values = dense<[1, 12]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %27 = "tosa.reshape"(%14, %26) : (tensor<1x4x3xf32>, !tosa.shape<2>) -> tensor<1x12xf32>
    "tosa.variable_write"(%27) <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : (tensor<1x12xf32>) -> ()
    return %25 : tensor<1x2xf32>
  }
}
