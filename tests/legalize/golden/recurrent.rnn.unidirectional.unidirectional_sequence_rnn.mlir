// before
module {
  func.func @"main"(%arg0: tensor<1x2x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %3 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %4 = "tfl.pseudo_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32>
    %5, %6 = "tfl.unidirectional_sequence_rnn"(%arg0, %1, %2, %3, %4) <{time_major = false, fused_activation_function = "TANH", asymmetric_quantize_inputs = false}> : (tensor<1x2x2xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<3xf32>, tensor<1x3xf32>) -> (tensor<1x2x3xf32>, tensor<1x3xf32>)
    "tfl.pseudo_store"(%6) <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> ()
    return %5 : tensor<1x2x3xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t4 at Model.subgraphs[0].tensors[4]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tosa.const"() <{values = dense<[[[-0.75, -0.5, -0.25]]]> : tensor<1x1x3xf32>}> : () -> tensor<1x1x3xf32>
    %2 = "tosa.const_shape"() <{values = dense<[2, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<1x2x2xf32>, !tosa.shape<3>) -> tensor<2x1x2xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 2, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%3, %4) : (tensor<2x1x2xf32>, !tosa.shape<3>) -> tensor<1x2x2xf32>
    %6 = "tosa.const"() <{values = dense<[[[-0.75, -0.25, 0.25], [-0.5, 0.0, 0.5]]]> : tensor<1x2x3xf32>}> : () -> tensor<1x2x3xf32>
    %7 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %8 = "tosa.matmul"(%5, %6, %7, %7) : (tensor<1x2x2xf32>, tensor<1x2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3xf32>
    %9 = "tosa.const_shape"() <{values = dense<[2, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x2x3xf32>, !tosa.shape<3>) -> tensor<2x1x3xf32>
    %11 = "tosa.add"(%1, %10) : (tensor<1x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %12 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %13 = "tosa.const_shape"() <{values = dense<[1, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %14 = "tosa.slice"(%11, %12, %13) : (tensor<2x1x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %15 = "tosa.variable_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : () -> tensor<1x3xf32>
    %16 = "tosa.reshape"(%15, %13) : (tensor<1x3xf32>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %17 = "tosa.const"() <{values = dense<[[[-0.75, 0.0, 0.75], [-0.5, 0.25, -0.75], [-0.25, 0.5, -0.5]]]> : tensor<1x3x3xf32>}> : () -> tensor<1x3x3xf32>
    %18 = "tosa.matmul"(%16, %17, %7, %7) : (tensor<1x1x3xf32>, tensor<1x3x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x3xf32>
    %19 = "tosa.add"(%14, %18) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %20 = "tosa.tanh"(%19) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %21 = "tosa.const_shape"() <{values = dense<[1, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %22 = "tosa.slice"(%11, %21, %13) : (tensor<2x1x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %23 = "tosa.matmul"(%20, %17, %7, %7) : (tensor<1x1x3xf32>, tensor<1x3x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x3xf32>
    %24 = "tosa.add"(%22, %23) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %25 = "tosa.tanh"(%24) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %26 = "tosa.concat"(%20, %25) <{axis = 0 : i32}> : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<2x1x3xf32>
    %27 = "tosa.const_shape"() <{values = dense<[1, 2, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %28 = "tosa.reshape"(%26, %27) : (tensor<2x1x3xf32>, !tosa.shape<3>) -> tensor<1x2x3xf32>
    %29 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %30 = "tosa.reshape"(%25, %29) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    "tosa.variable_write"(%30) <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : (tensor<1x3xf32>) -> ()
    return %28 : tensor<1x2x3xf32>
  }
}
