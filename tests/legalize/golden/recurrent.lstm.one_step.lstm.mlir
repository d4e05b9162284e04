// before
module {
  func.func @"main"(%arg0: tensor<1x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3xf32> {tosa.tensor_name = "t15"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %3 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %4 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %5 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %6 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %7 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %8 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %9 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %10 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %11 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %12 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %13 = "tfl.pseudo_read"() <{name = "t13 at Model.subgraphs[0].tensors[13]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32>
    %14 = "tfl.pseudo_read"() <{name = "t14 at Model.subgraphs[0].tensors[14]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32>
    %15, %16, %17 = "tfl.lstm"(%arg0, %1, %2, %3, %4, %5, %6, %7, %8, %none, %none, %none, %9, %10, %11, %12, %none, %none, %13, %14) <{fused_activation_function = "TANH", cell_clip = 0x00000000 : f32, proj_clip = 0x00000000 : f32, kernel_type = "FULL", asymmetric_quantize_inputs = false, intermediates = array<i64: >}> : (tensor<1x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, none, none, none, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, none, none, tensor<1x3xf32>, tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>)
    "tfl.pseudo_store"(%16) <{name = "t13 at Model.subgraphs[0].tensors[13]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> ()
    "tfl.pseudo_store"(%17) <{name = "t14 at Model.subgraphs[0].tensors[14]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> ()
    return %15 : tensor<1x3xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t13 at Model.subgraphs[0].tensors[13]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  "tosa.variable"() <{sym_name = "t14 at Model.subgraphs[0].tensors[14]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x3xf32> {tosa.tensor_name = "t15"}) {
    %1 = "tosa.const"() <{values = dense<[[[-0.75, -0.5, -0.25, -0.75, -0.5, -0.25, -0.75, -0.5, -0.25, -0.75, -0.5, -0.25]]]> : tensor<1x1x12xf32>}> : () -> tensor<1x1x12xf32>
    %2 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<1x2xf32>, !tosa.shape<3>) -> tensor<1x1x2xf32>
    %4 = "tosa.const"() <{values = dense<sha256 53b889927c2470e4> : tensor<1x2x12xf32>}> : () -> tensor<1x2x12xf32>
    %5 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %6 = "tosa.matmul"(%3, %4, %5, %5) : (tensor<1x1x2xf32>, tensor<1x2x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x12xf32>
    %7 = "tosa.add"(%1, %6) : (tensor<1x1x12xf32>, tensor<1x1x12xf32>) -> tensor<1x1x12xf32>
    %8 = "tosa.variable_read"() <{name = "t13 at Model.subgraphs[0].tensors[13]"}> : () -> tensor<1x3xf32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x3xf32>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %11 = "tosa.const"() <{values = dense<sha256 353077e4f9d52160> : tensor<1x3x12xf32>}> : () -> tensor<1x3x12xf32>
    %12 = "tosa.matmul"(%10, %11, %5, %5) : (tensor<1x1x3xf32>, tensor<1x3x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x12xf32>
    %13 = "tosa.add"(%7, %12) : (tensor<1x1x12xf32>, tensor<1x1x12xf32>) -> tensor<1x1x12xf32>
    %14 = "tosa.const_shape"() <{values = dense<[0, 0, 9]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %15 = "tosa.slice"(%13, %14, %9) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %16 = "tosa.sigmoid"(%15) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %17 = "tosa.const_shape"() <{values = dense<[0, 0, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %18 = "tosa.slice"(%13, %17, %9) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %19 = "tosa.sigmoid"(%18) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %20 = "tosa.variable_read"() <{name = "t14 at Model.subgraphs[0].tensors[14]"}> : () -> tensor<1x3xf32>
    %21 = "tosa.reshape"(%20, %9) : (tensor<1x3xf32>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %22 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.mul"(%19, %21, %22) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %24 = "tosa.const_shape"() <{values = dense<[0, 0, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %25 = "tosa.slice"(%13, %24, %9) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %26 = "tosa.tanh"(%25) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %27 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %28 = "tosa.slice"(%13, %27, %9) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %29 = "tosa.sigmoid"(%28) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %30 = "tosa.mul"(%26, %29, %22) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %31 = "tosa.add"(%23, %30) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %32 = "tosa.tanh"(%31) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %33 = "tosa.mul"(%16, %32, %22) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %34 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %35 = "tosa.reshape"(%33, %34) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    %36 = "tosa.reshape"(%33, %34) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    "tosa.variable_write"(%36) <{name = "t13 at Model.subgraphs[0].tensors[13]"}> : (tensor<1x3xf32>) -> ()
    %37 = "tosa.reshape"(%31, %34) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    "tosa.variable_write"(%37) <{name = "t14 at Model.subgraphs[0].tensors[14]"}> : (tensor<1x3xf32>) -> ()
    return %35 : tensor<1x3xf32>
  }
}
