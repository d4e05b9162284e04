// before
module {
  func.func @"main"(%arg0: tensor<1x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %3 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %4 = "tfl.pseudo_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32>
    %5, %6 = "tfl.rnn"(%arg0, %1, %2, %3, %4) <{fused_activation_function = "TANH", asymmetric_quantize_inputs = false}> : (tensor<1x2xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<3xf32>, tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>)
    "tfl.pseudo_store"(%6) <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> ()
    return %5 : tensor<1x3xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t4 at Model.subgraphs[0].tensors[4]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tosa.const"() <{values = dense<[[[-0.75, -0.5, -0.25]]]> : tensor<1x1x3xf32>}> : () -> tensor<1x1x3xf32>
    %2 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<1x2xf32>, !tosa.shape<3>) -> tensor<1x1x2xf32>
    %4 = "tosa.const"() <{values = dense<[[[-0.75, -0.25, 0.25], [-0.5, 0.0, 0.5]]]> : tensor<1x2x3xf32>}> : () -> tensor<1x2x3xf32>
    %5 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %6 = "tosa.matmul"(%3, %4, %5, %5) : (tensor<1x1x2xf32>, tensor<1x2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x3xf32>
    %7 = "tosa.add"(%1, %6) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %8 = "tosa.variable_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : () -> tensor<1x3xf32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x3xf32>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %11 = "tosa.const"() <{values = dense<[[[-0.75, 0.0, 0.75], [-0.5, 0.25, -0.75], [-0.25, 0.5, -0.5]]]> : tensor<1x3x3xf32>}> : () -> tensor<1x3x3xf32>
    %12 = "tosa.matmul"(%10, %11, %5, %5) : (tensor<1x1x3xf32>, tensor<1x3x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x3xf32>
    %13 = "tosa.add"(%7, %12) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %14 = "tosa.tanh"(%13) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %15 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %16 = "tosa.reshape"(%14, %15) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    "tosa.variable_write"(%16) <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : (tensor<1x3xf32>) -> ()
    return %16 : tensor<1x3xf32>
  }
}
