// before
module {
  func.func @"main"(%arg0: tensor<1x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x000040BF000000BF000080BE000000000000803E0000003F"> : tensor<3x2xf32>}> : () -> tensor<3x2xf32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF"> : tensor<3x3xf32>}> : () -> tensor<3x3xf32> loc("Model.subgraphs[0].tensors[2]")
    %3 = "tfl.pseudo_const"() <{values = dense<"0x000040BF000000BF000080BE"> : tensor<3xf32>}> : () -> tensor<3xf32> loc("Model.subgraphs[0].tensors[3]")
    %4 = "tfl.pseudo_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<"0x000000000000000000000000"> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32> loc("t4 at Model.subgraphs[0].tensors[4]")
    %5, %6 = "tfl.rnn"(%arg0, %1, %2, %3, %4) <{fused_activation_function = "TANH", asymmetric_quantize_inputs = false}> : (tensor<1x2xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<3xf32>, tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>) loc("main:0 RNN 't5'")
    "tfl.pseudo_store"(%6) <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<"0x000000000000000000000000"> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> () loc("t4 at Model.subgraphs[0].tensors[4]")
    return %5 : tensor<1x3xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t4 at Model.subgraphs[0].tensors[4]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tosa.variable_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : () -> tensor<1x3xf32> loc("t4 at Model.subgraphs[0].tensors[4]")
    %2 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 RNN 't5'")
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<1x2xf32>, !tosa.shape<3>) -> tensor<1x1x2xf32> loc("main:0 RNN 't5'")
    %4 = "tosa.const"() <{values = dense<"0x000040BF000080BE0000803E000000BF000000000000003F"> : tensor<1x2x3xf32>}> : () -> tensor<1x2x3xf32> loc("main:0 RNN 't5'")
    %5 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("main:0 RNN 't5'")
    %6 = "tosa.matmul"(%3, %4, %5, %5) : (tensor<1x1x2xf32>, tensor<1x2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x3xf32> loc("main:0 RNN 't5'")
    %7 = "tosa.const"() <{values = dense<"0x000040BF000000BF000080BE"> : tensor<1x1x3xf32>}> : () -> tensor<1x1x3xf32> loc("main:0 RNN 't5'")
    %8 = "tosa.add"(%7, %6) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32> loc("main:0 RNN 't5'")
    %9 = "tosa.const_shape"() <{values = dense<[1, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 RNN 't5'")
    %10 = "tosa.reshape"(%1, %9) : (tensor<1x3xf32>, !tosa.shape<3>) -> tensor<1x1x3xf32> loc("main:0 RNN 't5'")
    %11 = "tosa.const"() <{values = dense<"0x000040BF000000000000403F000000BF0000803E000040BF000080BE0000003F000000BF"> : tensor<1x3x3xf32>}> : () -> tensor<1x3x3xf32> loc("main:0 RNN 't5'")
    %12 = "tosa.matmul"(%10, %11, %5, %5) : (tensor<1x1x3xf32>, tensor<1x3x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x3xf32> loc("main:0 RNN 't5'")
    %13 = "tosa.add"(%8, %12) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32> loc("main:0 RNN 't5'")
    %14 = "tosa.tanh"(%13) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32> loc("main:0 RNN 't5'")
    %15 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 RNN 't5'")
    %16 = "tosa.reshape"(%14, %15) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32> loc("main:0 RNN 't5'")
    "tosa.variable_write"(%16) <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : (tensor<1x3xf32>) -> () loc("t4 at Model.subgraphs[0].tensors[4]")
    return %16 : tensor<1x3xf32>
  }
}
