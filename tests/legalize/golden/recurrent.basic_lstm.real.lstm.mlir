// before
module {
  func.func @"main"(%arg0: tensor<1x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3xf32> {tosa.tensor_name = "t5"}, tensor<1x3xf32> {tosa.tensor_name = "t6"}, tensor<1x5xf32> {tosa.tensor_name = "t7"}, tensor<1x12xf32> {tosa.tensor_name = "t8"}) {
    %1 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<12x5xf32>}> : () -> tensor<12x5xf32> loc("Model.subgraphs[0].tensors[2]")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E"> : tensor<12xf32>}> : () -> tensor<12xf32> loc("Model.subgraphs[0].tensors[3]")
    %3 = "tfl.pseudo_read"() <{name = "t1 at Model.subgraphs[0].tensors[1]", initial = dense<"0x000000000000000000000000"> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32> loc("t1 at Model.subgraphs[0].tensors[1]")
    %4 = "tfl.pseudo_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<"0x000000000000000000000000"> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32> loc("t4 at Model.subgraphs[0].tensors[4]")
    %5, %6, %7, %8, %9, %10 = "tfl.lstm"(%arg0, %3, %1, %2, %4) <{fused_activation_function = "TANH", cell_clip = 0x00000000 : f32, proj_clip = 0x00000000 : f32, kernel_type = "BASIC", asymmetric_quantize_inputs = false, intermediates = array<i64: >}> : (tensor<1x2xf32>, tensor<1x3xf32>, tensor<12x5xf32>, tensor<12xf32>, tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x5xf32>, tensor<1x12xf32>, tensor<1x3xf32>, tensor<1x3xf32>) loc("main:0 LSTM 't5'")
    "tfl.pseudo_store"(%9) <{name = "t1 at Model.subgraphs[0].tensors[1]", initial = dense<"0x000000000000000000000000"> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> () loc("t1 at Model.subgraphs[0].tensors[1]")
    "tfl.pseudo_store"(%10) <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<"0x000000000000000000000000"> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> () loc("t4 at Model.subgraphs[0].tensors[4]")
    return %5, %6, %7, %8 : tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x5xf32>, tensor<1x12xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t1 at Model.subgraphs[0].tensors[1]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  "tosa.variable"() <{sym_name = "t4 at Model.subgraphs[0].tensors[4]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3xf32> {tosa.tensor_name = "t5"}, tensor<1x3xf32> {tosa.tensor_name = "t6"}, tensor<1x5xf32> {tosa.tensor_name = "t7"}, tensor<1x12xf32> {tosa.tensor_name = "t8"}) {
    %1 = "tosa.variable_read"() <{name = "t1 at Model.subgraphs[0].tensors[1]"}> : () -> tensor<1x3xf32> loc("t1 at Model.subgraphs[0].tensors[1]")
    %2 = "tosa.variable_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : () -> tensor<1x3xf32> loc("t4 at Model.subgraphs[0].tensors[4]")
    %3 = "tosa.concat"(%arg0, %1) <{axis = 1 : i32}> : (tensor<1x2xf32>, tensor<1x3xf32>) -> tensor<1x5xf32> loc("main:0 LSTM 't5'")
    %4 = "tosa.const_shape"() <{values = dense<[1, 1, 5]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 LSTM 't5'")
    %5 = "tosa.reshape"(%3, %4) : (tensor<1x5xf32>, !tosa.shape<3>) -> tensor<1x1x5xf32> loc("main:0 LSTM 't5'")
    %6 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x5x12xf32>}> : () -> tensor<1x5x12xf32> loc("main:0 LSTM 't5'")
    %7 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("main:0 LSTM 't5'")
    %8 = "tosa.matmul"(%5, %6, %7, %7) : (tensor<1x1x5xf32>, tensor<1x5x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x12xf32> loc("main:0 LSTM 't5'")
    %9 = "tosa.const_shape"() <{values = dense<[1, 12]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 LSTM 't5'")
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x1x12xf32>, !tosa.shape<2>) -> tensor<1x12xf32> loc("main:0 LSTM 't5'")
    %11 = "tosa.const"() <{values = dense<"0x000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E"> : tensor<1x12xf32>}> : () -> tensor<1x12xf32> loc("main:0 LSTM 't5'")
    %12 = "tosa.add"(%10, %11) : (tensor<1x12xf32>, tensor<1x12xf32>) -> tensor<1x12xf32> loc("main:0 LSTM 't5'")
    %13 = "tosa.const_shape"() <{values = dense<[0, 0]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 LSTM 't5'")
    %14 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 LSTM 't5'")
    %15 = "tosa.slice"(%12, %13, %14) : (tensor<1x12xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3xf32> loc("main:0 LSTM 't5'")
    %16 = "tosa.const_shape"() <{values = dense<[0, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 LSTM 't5'")
    %17 = "tosa.slice"(%12, %16, %14) : (tensor<1x12xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3xf32> loc("main:0 LSTM 't5'")
    %18 = "tosa.const_shape"() <{values = dense<[0, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 LSTM 't5'")
    %19 = "tosa.slice"(%12, %18, %14) : (tensor<1x12xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3xf32> loc("main:0 LSTM 't5'")
    %20 = "tosa.const_shape"() <{values = dense<[0, 9]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 LSTM 't5'")
    %21 = "tosa.slice"(%12, %20, %14) : (tensor<1x12xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3xf32> loc("main:0 LSTM 't5'")
    %22 = "tosa.sigmoid"(%15) : (tensor<1x3xf32>) -> tensor<1x3xf32> loc("main:0 LSTM 't5'")
    %23 = "tosa.tanh"(%17) : (tensor<1x3xf32>) -> tensor<1x3xf32> loc("main:0 LSTM 't5'")
    %24 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 LSTM 't5'")
    %25 = "tosa.mul"(%22, %23, %24) : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<1x3xf32> loc("main:0 LSTM 't5'")
    %26 = "tosa.sigmoid"(%19) : (tensor<1x3xf32>) -> tensor<1x3xf32> loc("main:0 LSTM 't5'")
    %27 = "tosa.mul"(%26, %2, %24) : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<1x3xf32> loc("main:0 LSTM 't5'")
    %28 = "tosa.add"(%25, %27) : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32> loc("main:0 LSTM 't5'")
    %29 = "tosa.sigmoid"(%21) : (tensor<1x3xf32>) -> tensor<1x3xf32> loc("main:0 LSTM 't5'")
    %30 = "tosa.tanh"(%28) : (tensor<1x3xf32>) -> tensor<1x3xf32> loc("main:0 LSTM 't5'")
    %31 = "tosa.mul"(%29, %30, %24) : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<1x3xf32> loc("main:0 LSTM 't5'")
    "tosa.variable_write"(%31) <{name = "t1 at Model.subgraphs[0].tensors[1]"}> : (tensor<1x3xf32>) -> () loc("t1 at Model.subgraphs[0].tensors[1]")
    "tosa.variable_write"(%28) <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : (tensor<1x3xf32>) -> () loc("t4 at Model.subgraphs[0].tensors[4]")
    return %31, %28, %3, %12 : tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x5xf32>, tensor<1x12xf32>
  }
}
