// before
module {
  func.func @"main"(%arg0: tensor<1x2x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x000040BF000000BF000080BE000000000000803E0000003F"> : tensor<3x2xf32>}> : () -> tensor<3x2xf32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF"> : tensor<3x3xf32>}> : () -> tensor<3x3xf32> loc("Model.subgraphs[0].tensors[2]")
    %3 = "tfl.pseudo_const"() <{values = dense<"0x000040BF000000BF000080BE"> : tensor<3xf32>}> : () -> tensor<3xf32> loc("Model.subgraphs[0].tensors[3]")
    %4 = "tfl.pseudo_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<"0x000000000000000000000000"> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32> loc("t4 at Model.subgraphs[0].tensors[4]")
    %5, %6 = "tfl.unidirectional_sequence_rnn"(%arg0, %1, %2, %3, %4) <{time_major = false, fused_activation_function = "TANH", asymmetric_quantize_inputs = false}> : (tensor<1x2x2xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<3xf32>, tensor<1x3xf32>) -> (tensor<1x2x3xf32>, tensor<1x3xf32>) loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    "tfl.pseudo_store"(%6) <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<"0x000000000000000000000000"> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> () loc("t4 at Model.subgraphs[0].tensors[4]")
    return %5 : tensor<1x2x3xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t4 at Model.subgraphs[0].tensors[4]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tosa.variable_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : () -> tensor<1x3xf32> loc("t4 at Model.subgraphs[0].tensors[4]")
    %2 = "tosa.const_shape"() <{values = dense<[2, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<1x2x2xf32>, !tosa.shape<3>) -> tensor<2x1x2xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %4 = "tosa.const_shape"() <{values = dense<[1, 2, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %5 = "tosa.reshape"(%3, %4) : (tensor<2x1x2xf32>, !tosa.shape<3>) -> tensor<1x2x2xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %6 = "tosa.const"() <{values = dense<"0x000040BF000080BE0000803E000000BF000000000000003F"> : tensor<1x2x3xf32>}> : () -> tensor<1x2x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %7 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %8 = "tosa.matmul"(%5, %6, %7, %7) : (tensor<1x2x2xf32>, tensor<1x2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %9 = "tosa.const_shape"() <{values = dense<[2, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x2x3xf32>, !tosa.shape<3>) -> tensor<2x1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %11 = "tosa.const"() <{values = dense<"0x000040BF000000BF000080BE"> : tensor<1x1x3xf32>}> : () -> tensor<1x1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %12 = "tosa.add"(%11, %10) : (tensor<1x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %13 = "tosa.const_shape"() <{values = dense<[1, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %14 = "tosa.reshape"(%1, %13) : (tensor<1x3xf32>, !tosa.shape<3>) -> tensor<1x1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %15 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %16 = "tosa.slice"(%12, %15, %13) : (tensor<2x1x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %17 = "tosa.const"() <{values = dense<"0x000040BF000000000000403F000000BF0000803E000040BF000080BE0000003F000000BF"> : tensor<1x3x3xf32>}> : () -> tensor<1x3x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %18 = "tosa.matmul"(%14, %17, %7, %7) : (tensor<1x1x3xf32>, tensor<1x3x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %19 = "tosa.add"(%16, %18) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %20 = "tosa.tanh"(%19) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %21 = "tosa.const_shape"() <{values = dense<[1, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %22 = "tosa.slice"(%12, %21, %13) : (tensor<2x1x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %23 = "tosa.matmul"(%20, %17, %7, %7) : (tensor<1x1x3xf32>, tensor<1x3x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %24 = "tosa.add"(%22, %23) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %25 = "tosa.tanh"(%24) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %26 = "tosa.concat"(%20, %25) <{axis = 0 : i32}> : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<2x1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %27 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %28 = "tosa.reshape"(%25, %27) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %29 = "tosa.const_shape"() <{values = dense<[1, 2, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    %30 = "tosa.reshape"(%26, %29) : (tensor<2x1x3xf32>, !tosa.shape<3>) -> tensor<1x2x3xf32> loc("main:0 UNIDIRECTIONAL_SEQUENCE_RNN 't5'")
    "tosa.variable_write"(%28) <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : (tensor<1x3xf32>) -> () loc("t4 at Model.subgraphs[0].tensors[4]")
    return %30 : tensor<1x2x3xf32>
  }
}
