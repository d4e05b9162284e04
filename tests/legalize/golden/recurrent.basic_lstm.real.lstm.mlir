// before
module {
  func.func @"main"(%arg0: tensor<1x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3xf32> {tosa.tensor_name = "t5"}, tensor<1x3xf32> {tosa.tensor_name = "t6"}, tensor<1x5xf32> {tosa.tensor_name = "t7"}, tensor<1x12xf32> {tosa.tensor_name = "t8"}) {
    %1 = "tfl.pseudo_read"() <{name = "t1 at Model.subgraphs[0].tensors[1]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<sha256 f77f2d4871f172e1> : tensor<12x5xf32>}> : () -> tensor<12x5xf32>
    %3 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, -0.75, -0.5, -0.25, 0.0, 0.25]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %4 = "tfl.pseudo_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32>
    %5, %6, %7, %8, %9, %10 = "tfl.lstm"(%arg0, %1, %2, %3, %4) <{fused_activation_function = "TANH", cell_clip = 0x00000000 : f32, proj_clip = 0x00000000 : f32, kernel_type = "BASIC", asymmetric_quantize_inputs = false, intermediates = array<i64: >}> : (tensor<1x2xf32>, tensor<1x3xf32>, tensor<12x5xf32>, tensor<12xf32>, tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x5xf32>, tensor<1x12xf32>, tensor<1x3xf32>, tensor<1x3xf32>)
    "tfl.pseudo_store"(%9) <{name = "t1 at Model.subgraphs[0].tensors[1]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> ()
    "tfl.pseudo_store"(%10) <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> ()
    return %5, %6, %7, %8 : tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x5xf32>, tensor<1x12xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t1 at Model.subgraphs[0].tensors[1]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  "tosa.variable"() <{sym_name = "t4 at Model.subgraphs[0].tensors[4]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3xf32> {tosa.tensor_name = "t5"}, tensor<1x3xf32> {tosa.tensor_name = "t6"}, tensor<1x5xf32> {tosa.tensor_name = "t7"}, tensor<1x12xf32> {tosa.tensor_name = "t8"}) {
    %1 = "tosa.variable_read"() <{name = "t1 at Model.subgraphs[0].tensors[1]"}> : () -> tensor<1x3xf32>
    %2 = "tosa.concat"(%arg0, %1) <{axis = 1 : i32}> : (tensor<1x2xf32>, tensor<1x3xf32>) -> tensor<1x5xf32>
    %3 = "tosa.const_shape"() <{values = dense<[1, 1, 5]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%2, %3) : (tensor<1x5xf32>, !tosa.shape<3>) -> tensor<1x1x5xf32>
    %5 = "tosa.const"() <{values = dense<sha256 f6eaa634704c3c53> : tensor<1x5x12xf32>}> : () -> tensor<1x5x12xf32>
    %6 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %7 = "tosa.matmul"(%4, %5, %6, %6) : (tensor<1x1x5xf32>, tensor<1x5x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x12xf32>
    %8 = "tosa.const_shape"() <{values = dense<[1, 12]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %9 = "tosa.reshape"(%7, %8) : (tensor<1x1x12xf32>, !tosa.shape<2>) -> tensor<1x12xf32>
    %10 = "tosa.const"() <{values = dense<[[-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, -0.75, -0.5, -0.25, 0.0, 0.25]]> : tensor<1x12xf32>}> : () -> tensor<1x12xf32>
    %11 = "tosa.add"(%9, %10) : (tensor<1x12xf32>, tensor<1x12xf32>) -> tensor<1x12xf32>
    %12 = "tosa.const_shape"() <{values = dense<[0, 9]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %13 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %14 = "tosa.slice"(%11, %12, %13) : (tensor<1x12xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3xf32>
    %15 = "tosa.sigmoid"(%14) : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %16 = "tosa.const_shape"() <{values = dense<[0, 0]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %17 = "tosa.slice"(%11, %16, %13) : (tensor<1x12xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3xf32>
    %18 = "tosa.sigmoid"(%17) : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %19 = "tosa.const_shape"() <{values = dense<[0, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %20 = "tosa.slice"(%11, %19, %13) : (tensor<1x12xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3xf32>
    %21 = "tosa.tanh"(%20) : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %22 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.mul"(%18, %21, %22) : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<1x3xf32>
    %24 = "tosa.const_shape"() <{values = dense<[0, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %25 = "tosa.slice"(%11, %24, %13) : (tensor<1x12xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3xf32>
    %26 = "tosa.sigmoid"(%25) : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %27 = "tosa.variable_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : () -> tensor<1x3xf32>
    %28 = "tosa.mul"(%26, %27, %22) : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<1x3xf32>
    %29 = "tosa.add"(%23, %28) : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    %30 = "tosa.tanh"(%29) : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %31 = "tosa.mul"(%15, %30, %22) : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<1x3xf32>
    "tosa.variable_write"(%31) <{name = "t1 at Model.subgraphs[0].tensors[1]"}> : (tensor<1x3xf32>) -> ()
    "tosa.variable_write"(%29) <{name = "t4 at Model.subgraphs[0].tensors[4]"}> : (tensor<1x3xf32>) -> ()
    return %31, %29, %2, %11 : tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x5xf32>, tensor<1x12xf32>
  }
}
